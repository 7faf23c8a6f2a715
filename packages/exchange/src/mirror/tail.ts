import type { Registry } from '@openfountain/core'
import { invalidBecause, isLoopback, type RightsNotTaken } from '@openfountain/core/internal'
import { Instance } from './instance.ts'
import { followed, type KnownHead, type MirrorOptions, type MirrorReport } from './mirror.ts'

export interface TailOptions extends MirrorOptions {
  /** A stored head, such as that of an old export: the log there must continue it. */
  readonly known?: KnownHead | undefined
  /** Whether people get the rights that the entries give. Default false. */
  readonly trustRights?: boolean | undefined
}

export interface TailReport extends MirrorReport {
  /** How many entries were added, by subject and action, such as `waypoint created`. */
  readonly added: Readonly<Record<string, number>>
  /** The rights that the entries give and nobody has here; absent with `trustRights`. */
  readonly notTaken?: RightsNotTaken
}

/**
 * Fetches the newest entries, which a restored backup does not have, from an instance or mirror that has them. People
 * keep the names that they have here. The operator of a mirror can write entries that the registry never had: so they
 * make nobody a moderator, blocks stay as they are, and granted XP is taken back, by entries that follow; `known`
 * proves that the log there continues the stored one.
 *
 * @param url https:, or http: of this machine
 * @throws the same as `mirrorRegistry`; CHAIN_BROKEN also for a log that does not continue the known head
 */
export async function followTail(
  url: string,
  registry: Registry,
  options: TailOptions = {},
): Promise<TailReport> {
  const { protocol, hostname = '' } = URL.parse(url) ?? {}
  if (protocol === 'http:' && !isLoopback(hostname))
    throw invalidBecause(
      'url',
      'must be an https: address: what comes by http: anybody on the way may have written',
    )
  const report = await followed(new Instance(url, options), registry, options)
  const added: Record<string, number> = {}
  for await (const { subject, action } of registry.changes.since(report.from.id)) {
    const kind = `${subject} ${action}`
    added[kind] = (added[kind] ?? 0) + 1
  }
  const notTaken =
    options.trustRights === true ? undefined : await registry.mirror.takeRightsBack(report.from.id)
  if (report.redacted > 0) await registry.changes.scrub()
  const head = await registry.changes.head()
  return { ...report, head, left: 0, added, notTaken }
}
