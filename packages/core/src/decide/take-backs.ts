import type { StoredEntry } from '../log/entry.ts'
import { moderation } from '../rules.ts'
import { minutesAfter, minutesOf } from '../secrets.ts'
import { tooOften, type Contributor, type Occasion } from './contributor.ts'
import { asked, type Deciding } from './deciding.ts'

/** Removals and take-backs of a moderator in an hour. API tokens and the command are the operator's, and have no limit. */

/** Whether an entry removes or reverts something; moves by a merge are no removals. */
const isTakeBack = ({ action, links }: StoredEntry): boolean =>
  action === 'deleted' || action === 'hidden' || links.reverts !== undefined

function* ofOthers(entries: readonly StoredEntry[], userId: string): Deciding<StoredEntry[]> {
  const undone = entries.flatMap(({ links }) => links.reverts ?? [])
  const facts = yield undone.map((key) => ({ noun: 'entry', key }) as const)
  return entries.filter(
    ({ links }) => links.reverts === undefined || facts.get('entry', links.reverts)?.by !== userId,
  )
}

/** Removals and reverts left to a person in this hour, at most `wanted`. @throws RegistryError RATE_LIMITED for none */
export function* takeBacksLeft(
  { at }: Pick<Occasion, 'at'>,
  { kind, userId }: Pick<Contributor, 'kind' | 'userId'>,
  wanted = 1,
): Deciding<number> {
  if (kind === 'token') return wanted
  const { takeBacksPerHour: limit, revertedAtOnce: page } = moderation
  const since = minutesAfter(at, -minutesOf.hour)
  let [done, oldest] = [0, at]
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const found = yield* asked('entriesBy', { userId, since, before, limit: page })
    const counted = yield* ofOthers(found.filter(isTakeBack), userId)
    done += counted.length
    oldest = counted.at(-1)?.at ?? oldest
    const last = found.at(-1)
    if (last === undefined || found.length < page || done >= limit) break
    before = last.id
  }
  if (done < limit) return Math.min(wanted, limit - done)
  throw tooOften(
    `Moderators remove or take back at most ${limit} things in an hour: go on later, or ask the operator`,
    { limit, minutes: minutesOf.hour, at, end: minutesAfter(oldest, minutesOf.hour) },
  )
}
