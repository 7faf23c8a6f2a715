import { RegistryError, type Registry } from '@openfountain/core'
import { invalidBecause } from '@openfountain/core/internal'
import {
  NoteError,
  type Split,
  type VerifiedCheckpoint,
  verifiedCheckpoint,
  verifiedSplit,
  type VerifierKey,
} from '@openfountain/tlog'
import type { Instance } from './instance.ts'

/** What makes a mirror a witness of the log that it follows. */
export interface Watching {
  /** Of the log, from elsewhere than the instance. */
  readonly keys: readonly VerifierKey[]
  /** The last checkpoint that was kept, as a note. */
  last(): Promise<string | undefined>
  keep(note: string): Promise<void>
  /** Keeps evidence of two histories. @returns where it is */
  split(evidence: Split): Promise<string>
}

type Checked = VerifiedCheckpoint & { readonly source: string }

/** Compares the checkpoints of an instance with the copy of its log, and with the last one. */
export class Watch {
  readonly #registry: Registry
  readonly #instance: Instance
  readonly #watching: Watching
  readonly #fresh: Checked

  private constructor(registry: Registry, instance: Instance, watching: Watching, fresh: Checked) {
    this.#registry = registry
    this.#instance = instance
    this.#watching = watching
    this.#fresh = fresh
  }

  /** @throws RegistryError INVALID_INPUT for a log that is not signed by one of the keys */
  static async begin(registry: Registry, instance: Instance, watching: Watching): Promise<Watch> {
    const source = (await instance.checkpoint()) ?? ''
    const fresh = await verifiedCheckpoint(source, watching.keys).catch((error: unknown) => {
      throw error instanceof NoteError
        ? invalidBecause('key', `the checkpoint of the instance ${error.message}`)
        : error
    })
    return new Watch(registry, instance, watching, { ...fresh, source })
  }

  /** Keeps the checkpoint once the copy has all that it is about. @throws RegistryError CHAIN_BROKEN */
  async end(): Promise<void> {
    const { size, root, origin, source } = this.#fresh
    const { id } = await this.#registry.changes.head()
    const here = size <= id ? await this.#registry.changes.head(size) : undefined
    if (here?.hash !== root)
      throw new RegistryError(
        'CHAIN_BROKEN',
        `The checkpoint that ${origin} signed with ${size} entries is not that of the entries that it returns: ask the operator why`,
        { id: size, hash: root },
      )
    const last = await this.#last()
    if (last === undefined || last.size <= size) await this.#watching.keep(source)
  }

  /** What is thrown after an instance was refused: with evidence, where it signed both histories. */
  async refusal(refused: unknown): Promise<unknown> {
    if (!(refused instanceof RegistryError) || refused.code !== 'CHAIN_BROKEN') return refused
    const evidence = await this.#evidence().catch(() => undefined)
    if (evidence === undefined) return refused
    const file = await this.#watching.split(evidence)
    const { message, details } = refused
    return new RegistryError(
      'CHAIN_BROKEN',
      `${message} It signed both histories: ${file} is the evidence, which anybody can check with its key.`,
      { ...details, evidence: file },
    )
  }

  async #last(): Promise<Checked | undefined> {
    const source = await this.#watching.last()
    return source === undefined
      ? undefined
      : { ...(await verifiedCheckpoint(source, this.#watching.keys)), source }
  }

  async #evidence(): Promise<Split | undefined> {
    const [last, fresh] = [await this.#last(), this.#fresh]
    if (last === undefined) return undefined
    const { changes } = this.#registry
    const isOlder = fresh.size <= last.size
    const [smaller, larger] = isOlder ? [fresh, last] : [last, fresh]
    const root = (await (isOlder ? changes.head(smaller.size) : this.#instance.head(smaller.size))).hash
    const proof = await (isOlder
      ? changes.consistency(smaller.size, larger.size).then((found) => found.proof)
      : this.#instance.consistency(smaller.size, larger.size))
    const split = { checkpoints: [smaller.source, larger.source], root, proof } as const
    await verifiedSplit(split, this.#watching.keys)
    return split
  }
}
