import type { StateOfWaypoint } from '@openfountain/core/status'

/** States of fountains that differ from those of the tiles, by id; undefined for a fountain without a mark. */
export type Turns = ReadonlyMap<number, StateOfWaypoint | undefined>

/** The content of map/turns.json: on each day, the fountains that get a state; ascending. */
export type TurnFile = readonly (readonly [
  day: string,
  state: StateOfWaypoint | '',
  ids: readonly number[],
])[]

/** The states that differ from those of the tiles on a day. */
export function turnsUntil(file: TurnFile, day: string): Turns {
  const turns = new Map<number, StateOfWaypoint | undefined>()
  for (const [from, state, ids] of file)
    if (from <= day) for (const id of ids) turns.set(id, state === '' ? undefined : state)
  return turns
}
