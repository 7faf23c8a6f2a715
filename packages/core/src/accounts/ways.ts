import { z } from 'zod'
import { addPasskey, addWay, removeWay, renamePasskey, type Way } from '../decide/account.ts'
import { notFound } from '../errors.ts'
import type { IdentityInfo, PasskeyInfo } from '../schemas/credential.ts'
import { parse } from '../schemas/parse.ts'
import { text } from '../schemas/text.ts'
import { secretId, type KeptSecret, type SecretValues } from '../secrets.ts'
import type { ReportSecurity } from '../security-events.ts'
import type { Store } from '../store/port.ts'
import type { AccessChange, AccessChanges } from './access-changes.ts'
import { barredKeys } from './barred.ts'
import type { Codes } from './codes.ts'
import { writtenSecret } from './kept.ts'

/** A passkey, as far as its verifier needs it. */
export interface KeptPasskey extends Omit<SecretValues['passkey'], 'name'> {
  /** In base64url. */
  readonly credentialId: string
  readonly userId: string
}

/** A way that somebody has proven to be theirs. */
export type ProvenWay = Omit<Way, 'barredKey'>

/** The name of a way to sign in. */
export const WayName = text({ min: 1, max: 80, trim: true, isName: true })
export const NamedWay = z.object({ name: WayName })

/** A proven way with what stands for it while somebody is blocked. @internal */
export async function wayOf(store: Store, way: ProvenWay): Promise<Way> {
  const barredKey = await barredKeys(store)
  return { ...way, barredKey: barredKey(secretId('identity', way.key)) }
}

/** The passkeys, providers and addresses with which people sign in. @internal */
export class Ways {
  readonly #store: Store
  readonly #report: ReportSecurity
  readonly #access: AccessChanges
  readonly #codes: Codes

  constructor(
    store: Store,
    options: {
      readonly report: ReportSecurity
      readonly access: AccessChanges
      readonly codes: Codes
    },
  ) {
    this.#store = store
    this.#report = options.report
    this.#access = options.access
    this.#codes = options.codes
  }

  #changed(change: Omit<AccessChange, 'language'>): void {
    this.#report(`way.${change.change}`, { user: change.userId })
    this.#access.tell(change)
  }

  async isKnown(key: string): Promise<boolean> {
    return (await this.#store.read.secrets.get('identity', secretId('identity', key))) !== undefined
  }

  async identities(userId: string): Promise<IdentityInfo[]> {
    return (await this.#store.read.secrets.list('identity', userId)).map(identityInfo)
  }

  async addIdentity(userId: string, proven: ProvenWay): Promise<void> {
    const way = await wayOf(this.#store, proven)
    const isNew = await this.#store.write({ decide: (at) => addWay(at, userId, way) })
    if (isNew) this.#changed({ userId, change: 'added', ...namedIdentity(way) })
  }

  async addIdentityWithCode(
    browser: string,
    answer: string,
    { userId, way: proven }: { readonly userId: string; readonly way: ProvenWay },
  ): Promise<void> {
    const way = await wayOf(this.#store, proven)
    if (await this.#codes.redeem(browser, answer, (at) => addWay(at, userId, way)))
      this.#changed({ userId, change: 'added', ...namedIdentity(way) })
  }

  async remove(kind: 'identity' | 'passkey', userId: string, id: number): Promise<void> {
    const way = await this.#store.read.secrets.byNumber(kind, id)
    if (way === undefined) throw notFound('way to sign in', '')
    await this.#store.write({ decide: (at) => removeWay(way.id, userId, at) })
    const named =
      'label' in way.value ? namedIdentity(way.value) : { what: 'passkey' as const, name: way.value.name }
    this.#changed({ userId, change: 'removed', ...named })
  }

  async passkeys(userId: string): Promise<(PasskeyInfo & { readonly credentialId: string })[]> {
    const all = await this.#store.read.secrets.list('passkey', userId)
    return all.map((passkey) => ({ ...passkeyInfo(passkey), credentialId: credentialIdOf(passkey) }))
  }

  async passkey(credentialId: string): Promise<KeptPasskey | undefined> {
    const found = await this.#store.read.secrets.get('passkey', secretId('passkey', credentialId))
    if (found?.userId === undefined) return undefined
    const { name: _name, ...value } = found.value
    return { ...value, credentialId, userId: found.userId }
  }

  async addPasskey({
    credentialId,
    userId,
    ...value
  }: KeptPasskey & { readonly name: string }): Promise<PasskeyInfo> {
    const { name } = parse(NamedWay, { name: value.name })
    const id = secretId('passkey', credentialId)
    await this.#store.write({
      decide: (at) => addPasskey(userId, { id, kind: 'passkey', value: { ...value, name }, createdAt: at }),
    })
    this.#changed({ userId, change: 'added', what: 'passkey', name })
    return passkeyInfo(await writtenSecret(this.#store, 'passkey', id))
  }

  async renamePasskey(userId: string, id: number, input: { readonly name: string }): Promise<void> {
    const { name } = parse(NamedWay, input)
    const found = await this.#store.read.secrets.byNumber('passkey', id)
    if (found === undefined) throw notFound('passkey', id)
    await this.#store.write({ decide: (at) => renamePasskey({ id: found.id, userId, name }, at) })
  }
}

const credentialIdOf = ({ id }: KeptSecret<'passkey'>): string => id.slice('passkey:'.length)

const namedIdentity = ({ provider, label }: Pick<Way, 'provider' | 'label'>) => ({
  what: provider === 'email' ? ('address' as const) : ('provider' as const),
  name: provider === 'email' ? label : `${label} (${provider})`,
})

export function identityInfo({ number, value, createdAt, usedAt }: KeptSecret<'identity'>): IdentityInfo {
  return {
    id: number,
    ...value,
    addedAt: createdAt,
    ...(usedAt !== undefined && { lastUsedAt: usedAt }),
  }
}

export function passkeyInfo({ number, value, createdAt, usedAt }: KeptSecret<'passkey'>): PasskeyInfo {
  return {
    id: number,
    name: value.name,
    isSynced: value.isSynced,
    addedAt: createdAt,
    ...(usedAt !== undefined && { lastUsedAt: usedAt }),
  }
}
