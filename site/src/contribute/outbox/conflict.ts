import type { Waypoint } from '@openfountain/core'
import { waypointIdOf, type Act, type StoredAct } from './act.ts'
import { fieldsOf, flat, nested, type Fields } from '../members.ts'
import type { Theirs } from './sending.ts'

/** A field that an edit changes and that is otherwise now, or the position, whose two numbers go together. */
export interface Difference {
  readonly field: string
  /** The names in the body. */
  readonly names: readonly string[]
  readonly mine: Fields
  readonly theirs: Fields
  /** Whether somebody else changed it since the person began to edit. */
  readonly isContested: boolean
}

const position = ['latitude', 'longitude']

/** What an act would change of a fountain as it is now, in the order of its body. */
export function differences({ body, base }: Pick<Act, 'body' | 'base'>, theirs: Waypoint): Difference[] {
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
 * An act that met somebody else's change. It waits again, to be sent over that change, when both changed different
 * fields; else a person has to choose.
 */
export function met(act: StoredAct, { theirs, theirsEtag, mergedInto }: Theirs): StoredAct {
  const { theirs: _theirs, theirsEtag: _etag, mergedInto: _merged, ...kept } = act
  if (
    act.kind === 'edit' &&
    theirs &&
    theirsEtag !== undefined &&
    theirsEtag !== act.ifMatch &&
    differences(act, theirs).every(({ isContested }) => !isContested)
  )
    return { ...kept, state: 'waiting', isUncertain: false, ifMatch: theirsEtag, base: theirs }
  return {
    ...kept,
    state: 'conflict',
    isUncertain: false,
    ...(theirs && { theirs }),
    ...(theirsEtag !== undefined && { theirsEtag }),
    ...(mergedInto !== undefined && { mergedInto }),
  }
}

/**
 * An act that goes on from the fountain as it is now, with those of its fields that the person chose; undefined when
 * nothing is left to do.
 *
 * @param chosen the names of fields that are to be as the person wrote
 */
export function resolved(
  act: StoredAct,
  { theirs, theirsEtag }: Theirs,
  chosen: readonly string[],
): StoredAct | undefined {
  const { theirs: _theirs, theirsEtag: _etag, mergedInto: _merged, ifMatch: _ifMatch, ...kept } = act
  const waiting = { ...kept, state: 'waiting' as const }
  if (theirs === undefined) return waiting
  const before = waypointIdOf(act)
  const about = {
    ...waiting,
    path: before === undefined ? act.path : act.path.replace(String(before), String(theirs.id)),
    base: theirs,
    ...(theirsEtag !== undefined && act.ifMatch !== undefined && { ifMatch: theirsEtag }),
  }
  const given = fieldsOf(act.body)
  if (act.kind !== 'edit')
    return 'bubblerId' in given ? { ...about, body: { ...given, bubblerId: theirs.id } } : about
  const names = differences(act, theirs).flatMap((one) => (chosen.includes(one.field) ? one.names : []))
  return names.length === 0
    ? undefined
    : { ...about, body: nested(pick({ ...flat(theirs), ...flat(given) }, names)) }
}

/** A new fountain from an edit of one that is gone: as it was, with what the person wrote. */
export function asNew(act: StoredAct): StoredAct {
  const { theirs: _theirs, mergedInto: _merged, ifMatch: _ifMatch, base, ...kept } = act
  const { id: _id, ...fields } = flat(base)
  const body = Object.entries({ ...fields, ...flat(act.body) }).filter(([, value]) => value !== null)
  return {
    ...kept,
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
