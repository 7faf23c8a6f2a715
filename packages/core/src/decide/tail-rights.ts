import { draftOf, type Draft, type Entry } from '../log/entry.ts'
import { isSameValue } from '../log/leaf.ts'
import { foldSubject } from '../log/fold.ts'
import type { Person } from '../log/nouns.ts'
import { limits, type Rules } from '../rules.ts'
import { operator } from './contributor.ts'
import { asked, nounOf, type Decided } from './deciding.ts'
import { grant } from './user.ts'

/** Rights in the entries of a mirror that people do not have here. */
export interface RightsNotTaken {
  readonly moderators: readonly string[]
  readonly keepers: readonly string[]
  /** People blocked there, or whose block was ended or changed there. */
  readonly blocks: readonly string[]
  /** XP that was granted there or that contributions do not earn; negative where it was taken away. */
  readonly xp: readonly { readonly userId: string; readonly xp: number }[]
}

/** XP awarded by an entry beyond the rules for contributions, by person. */
export function xpBeyondRules(
  { subject, awards }: Pick<Entry, 'subject' | 'awards'>,
  rules: Rules,
): (readonly [userId: string, xp: number])[] {
  const earned = rules.xp as Readonly<Partial<Record<string, number>>>
  return awards.flatMap(([userId, event, amount]) => {
    const most = subject === 'user' || !Object.hasOwn(earned, event) ? 0 : (earned[event] ?? 0)
    const beyond = amount - Math.max(-most, Math.min(most, amount))
    return beyond === 0 ? [] : [[userId, beyond] as const]
  })
}

const reason = 'not taken from the mirror of which the registry was restored'

function taken(id: string, xp: number): Draft[] {
  const amount = Math.max(-limits.xp, Math.min(limits.xp, xp))
  return xp === 0 ? [] : [grant(id, -amount, reason), ...taken(id, xp - amount)]
}

/** Gives a person the rights, block and XP of before a mirror's entries; who was dismissed stays so. */
export function* rightsAsBefore(
  id: string,
  after: number,
  xp: number,
): Decided<{ readonly moderator: boolean; readonly keeper: boolean; readonly block: boolean }> {
  const before = (yield* asked('entriesAbout', { subject: 'user', subjectId: id }))
    .filter((entry) => entry.id <= after)
    .reduce<Person | undefined>((state, entry: Entry) => foldSubject('user', state, entry), undefined)
  const person = yield* nounOf('user', id)
  const moderator = person?.isModerator === true && before?.isModerator !== true
  const keeps = (person?.keeps ?? []).filter(
    (each) => !(before?.keeps ?? []).some((other) => isSameValue(each, other)),
  )
  const block = !isSameValue(person?.block, before?.block)
  const blocked = before?.block && { ...before.block, reason: before.block.reason || reason }
  return {
    entries: [
      ...(moderator ? [draftOf('user', id, 'dismissed')] : []),
      ...keeps.map((each) => draftOf('user', id, 'relieved', each)),
      ...(block
        ? [blocked ? draftOf('user', id, 'blocked', { ...blocked }) : draftOf('user', id, 'unblocked')]
        : []),
      ...taken(id, xp),
    ],
    by: operator,
    answer: { moderator, keeper: keeps.length > 0, block },
  }
}
