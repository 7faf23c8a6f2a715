import type { Actor } from './actor.ts'
import { BoundingBoxInput, type BoundingBox } from './schemas/area.ts'
import type { Writer } from './writer.ts'
import { signedIn } from './decide/contributor.ts'
import { notFound, RegistryError } from './errors.ts'
import { parse } from './schemas/parse.ts'
import { areaReads, areaWrites } from './store/sqlite/nouns/areas.ts'

/** Bounding boxes: areas of the map with a note. Only API tokens may write them. */
export class Areas {
  readonly #writer: Writer
  readonly #reads: ReturnType<typeof areaReads>
  readonly #writes: ReturnType<typeof areaWrites>

  /** @internal Created by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
    this.#reads = areaReads(writer.statements)
    this.#writes = areaWrites(writer.statements)
  }

  /** Active bounding boxes by id. */
  async list(): Promise<BoundingBox[]> {
    return this.#reads.active()
  }

  /** @throws RegistryError UNAUTHORIZED for all actors but API tokens, INVALID_INPUT, INVALID_COORDINATES */
  async create(input: unknown, actor: Actor): Promise<BoundingBox> {
    onlyTokens(actor)
    const given = parse(BoundingBoxInput, input)
    return this.#writer.transact(({ at }) => this.#writes.insert(given, at))
  }

  /**
   * Removes a bounding box from every list.
   *
   * @returns the bounding box as it was
   * @throws RegistryError UNAUTHORIZED for all actors but API tokens, NOT_FOUND
   */
  async delete(id: number, actor: Actor): Promise<BoundingBox> {
    onlyTokens(actor)
    return this.#writer.transact(({ at }) => {
      const found = this.#reads.live(id)
      if (found === undefined) throw notFound('bounding box', id)
      this.#writes.softDelete(id, at)
      return found
    })
  }
}

function onlyTokens(actor: Actor): void {
  if (signedIn(actor).kind !== 'token') {
    throw new RegistryError('UNAUTHORIZED', 'Bounding boxes can only be written with an API token')
  }
}
