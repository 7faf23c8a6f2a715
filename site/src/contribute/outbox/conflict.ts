import type { Waypoint } from '@openfountain/core'
import { fieldsOf, flat, isSame, nested, type Fields } from '../members.ts'
import { about, type Conflict, type Submission } from './submission.ts'

/** A field that an edit changes and whose current value differs, or the position, whose two numbers go together. */
export interface Difference {
  readonly field: string
  readonly names: readonly string[]
  readonly mine: Fields
  readonly theirs: Fields
  /** Whether another user changed it since the edit began. */
  readonly isContested: boolean
}

const position = ['latitude', 'longitude']

/** The differences that a submission would make to the current fountain, in the order of its body. */
export function differences(
  { body, base }: Pick<Submission, 'body' | 'base'>,
  theirs: Waypoint,
): Difference[] {
  const [given, before, now] = [flat(body), base && flat(base), flat(theirs)]
  const all = Object.keys(given).map((name) => (position.includes(name) ? 'position' : name))
  return [...new Set(all)].flatMap((field) => {
    const names = field === 'position' ? position : [field]
    const mine = pick({ ...before, ...now, ...given }, names)
    const isAsNow = (values: Fields): boolean => names.every((name) => isSame(values[name], now[name]))
    if (isAsNow(mine)) return []
    return [{ field, names, mine, theirs: pick(now, names), isContested: !before || !isAsNow(before) }]
  })
}

/** A submission after a conflict: queued again when both changed different fields; else the user has to choose. */
export function afterConflict(submission: Submission, conflict: Conflict): Submission {
  const { theirs, theirsEtag } = conflict
  const goesOn =
    submission.kind === 'edit' &&
    theirs &&
    theirsEtag !== undefined &&
    theirsEtag !== submission.ifMatch &&
    differences(submission, theirs).every(({ isContested }) => !isContested)
  return {
    ...submission,
    isUncertain: false,
    ...(goesOn ? { state: 'waiting', ifMatch: theirsEtag, base: theirs } : { state: 'conflict', conflict }),
  }
}

/** A submission rebased onto the current fountain, with the chosen fields of the user; undefined when no change is left. */
export function resolved(
  submission: Submission,
  { theirs, theirsEtag }: Conflict,
  chosen: readonly string[],
): Submission | undefined {
  const { ifMatch, ...rest } = submission
  if (theirs === undefined) return rest
  const now = {
    ...about(rest, theirs.id),
    base: theirs,
    ...(theirsEtag !== undefined && ifMatch !== undefined && { ifMatch: theirsEtag }),
  }
  if (submission.kind !== 'edit') return now
  const names = differences(submission, theirs)
    .filter(({ field }) => chosen.includes(field))
    .flatMap((one) => one.names)
  if (names.length === 0) return undefined
  return { ...now, body: nested(pick({ ...flat(theirs), ...flat(fieldsOf(submission.body)) }, names)) }
}

/** A new fountain from an edit of a removed one: its last state with the user's changes. */
export function asNew({ ifMatch: _ifMatch, base, body, ...rest }: Submission): Submission {
  const { id: _id, ...fields } = flat(base)
  const filled = Object.entries({ ...fields, ...flat(body) }).filter(([, value]) => value !== null)
  return {
    ...rest,
    kind: 'create',
    method: 'POST',
    path: '/waypoints',
    body: nested(Object.fromEntries(filled)),
  }
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
