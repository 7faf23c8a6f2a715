import type { StateOfWaypoint } from '@openfountain/core/status'

/** States of fountains that are not those of the tiles, by id; undefined for one that has no state worth a word. */
export type Turns = ReadonlyMap<number, StateOfWaypoint | undefined>

/** What map/turns.json has: on each day, which fountains get which state; ascending. */
export type TurnFile = readonly (readonly [
  day: string,
  state: StateOfWaypoint | '',
  ids: readonly number[],
])[]

/** The states that are not those of the tiles any more on a day. */
export function turnsUntil(file: TurnFile, day: string): Turns {
  const turns = new Map<number, StateOfWaypoint | undefined>()
  for (const [from, state, ids] of file)
    if (from <= day) for (const id of ids) turns.set(id, state === '' ? undefined : state)
  return turns
}
