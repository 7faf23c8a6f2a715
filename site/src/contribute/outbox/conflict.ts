import type { Waypoint } from '@openfountain/core'
import { waypointIdOf, type Conflict, type Submission, type StoredSubmission } from './submission.ts'
import { fieldsOf, flat, nested, type Fields } from '../members.ts'

/** A field that an edit changes and whose current value differs, or the position, whose two numbers go together. */
export interface Difference {
  readonly field: string
  /** The names in the body. */
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
  const seen = new Set<string>()
  return Object.keys(given).flatMap((name) => {
    if (seen.has(name)) return []
    const names = position.includes(name) ? position : [name]
    for (const one of names) seen.add(one)
    const mine = pick({ ...before, ...now, ...given }, names)
    const [theirValues, baseValues] = [pick(now, names), before && pick(before, names)]
    if (isSame(mine, theirValues)) return []
    return [
      {
        field: names.length > 1 ? 'position' : name,
        names,
        mine,
        theirs: theirValues,
        isContested: baseValues === undefined || !isSame(baseValues, theirValues),
      },
    ]
  })
}

/**
 * A submission after a conflict. It is queued again, over the other change, when both changed different fields; else
 * the user has to choose.
 */
export function afterConflict(
  submission: StoredSubmission,
  { theirs, theirsEtag, mergedInto }: Conflict,
): StoredSubmission {
  const { theirs: _theirs, theirsEtag: _etag, mergedInto: _merged, ...rest } = submission
  if (
    submission.kind === 'edit' &&
    theirs &&
    theirsEtag !== undefined &&
    theirsEtag !== submission.ifMatch &&
    differences(submission, theirs).every(({ isContested }) => !isContested)
  )
    return { ...rest, state: 'waiting', isUncertain: false, ifMatch: theirsEtag, base: theirs }
  return {
    ...rest,
    state: 'conflict',
    isUncertain: false,
    theirs,
    theirsEtag,
    mergedInto,
  }
}

/**
 * A submission rebased onto the current fountain, with the fields that the user chose; undefined when no change is
 * left.
 *
 * @param chosen the names of the fields that keep the user's value
 */
export function resolved(
  submission: StoredSubmission,
  { theirs, theirsEtag }: Conflict,
  chosen: readonly string[],
): StoredSubmission | undefined {
  const { theirs: _theirs, theirsEtag: _etag, mergedInto: _merged, ifMatch: _ifMatch, ...rest } = submission
  const waiting = { ...rest, state: 'waiting' as const }
  if (theirs === undefined) return waiting
  const before = waypointIdOf(submission)
  const about = {
    ...waiting,
    path: before === undefined ? submission.path : submission.path.replace(String(before), String(theirs.id)),
    base: theirs,
    ...(theirsEtag !== undefined && submission.ifMatch !== undefined && { ifMatch: theirsEtag }),
  }
  const given = fieldsOf(submission.body)
  if (submission.kind !== 'edit')
    return 'bubblerId' in given ? { ...about, body: { ...given, bubblerId: theirs.id } } : about
  const names = differences(submission, theirs).flatMap((one) =>
    chosen.includes(one.field) ? one.names : [],
  )
  return names.length === 0
    ? undefined
    : { ...about, body: nested(pick({ ...flat(theirs), ...flat(given) }, names)) }
}

/** A new fountain from an edit of a removed one: its last state with the user's changes. */
export function asNew(submission: StoredSubmission): StoredSubmission {
  const { theirs: _theirs, mergedInto: _merged, ifMatch: _ifMatch, base, ...rest } = submission
  const { id: _id, ...fields } = flat(base)
  const body = Object.entries({ ...fields, ...flat(submission.body) }).filter(([, value]) => value !== null)
  return {
    ...rest,
    kind: 'create',
    method: 'POST',
    path: '/waypoints',
    body: nested(Object.fromEntries(body)),
    state: 'waiting',
  }
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))

/** Lists are compared without their order. */
const isSame = (a: Fields, b: Fields): boolean => JSON.stringify(plain(a)) === JSON.stringify(plain(b))

const plain = (fields: Fields): unknown =>
  Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
