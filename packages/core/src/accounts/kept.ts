import { endSecret, useSecret } from '../decide/secret.ts'
import { notFound, RegistryError } from '../errors.ts'
import { lifetimes } from '../rules.ts'
import { minutesAfter, type StoredSecret, type Secret, type SecretKind } from '../secrets.ts'
import { apart } from '../store/write-queue.ts'
import type { Store } from '../store/port.ts'

/** Sessions, tokens and ways to sign in, in their stored form. */

/** A secret that was just written, with its public id. @internal */
export async function writtenSecret<Kind extends SecretKind>(
  { read }: Store,
  kind: Kind,
  id: string,
): Promise<StoredSecret<Kind>> {
  const found = await read.secrets.get(kind, id)
  if (found === undefined) throw notFound(kind, '')
  return found
}

/** When a secret was used last, as a member; absent when it never was. */
export const lastUseOf = ({ usedAt }: Pick<Secret, 'usedAt'>): { readonly lastUsedAt?: string } =>
  usedAt === undefined ? {} : { lastUsedAt: usedAt }

/** Ends sessions and tokens in one transaction; tokens stay listed. @returns which of them had not ended @internal */
export async function endSecrets(
  store: Store,
  all: readonly Pick<Secret, 'id' | 'kind'>[],
): Promise<boolean[]> {
  const at = await store.time()
  const jobs = all.map(({ id, kind }) => ({
    decide: () => endSecret(id, { isListed: kind !== 'session', at }),
  }))
  const outcomes = await store.writeBatch(jobs, { acceptClock: true })
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw outcome.error
    return outcome.answer
  })
}

/** Ends a session or a token. @returns whether it had not ended @internal */
export async function endOne(store: Store, secret: Pick<Secret, 'id' | 'kind'>): Promise<boolean> {
  const [isEnded = false] = await endSecrets(store, [secret])
  return isEnded
}

/** Remembers that a session or a token is used, to the hour. @internal */
export async function noticeUse(
  store: Store,
  id: string,
  { lastUse, now }: { readonly lastUse: string | null; readonly now: string },
): Promise<void> {
  if (lastUse !== null && minutesAfter(lastUse, lifetimes.session.noticedAfterMinutes) > now) return
  await quietly(apart(() => store.write({ decide: (at) => useSecret(id, at) })))
}

/** Waits for a write that may fail, as where the database is read-only: the secret is as good or bad without it. */
export async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
  }
}
