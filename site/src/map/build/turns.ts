import type { Stages } from '../../status/stage.ts'
import type { TurnFile } from '../data/turns.ts'

/** A day from which a fountain of the tiles has another state; empty from the beginning. */
export interface Turn {
  readonly id: number
  readonly day: string
  readonly state: string
}

/** The turns of a fountain. States of the tiles are as of the day of the build. @param state as the tiles have it */
export function* turnsOf(id: number, state: string | null | undefined, stages: Stages): Generator<Turn> {
  let [known, day] = [drawn(state), '']
  for (const stage of [...stages, undefined]) {
    const now = drawn(stage?.state)
    if (now !== known) yield { id, day, state: now }
    if (stage !== undefined && stage.until === undefined) return
    known = now
    day = dayAfter(stage?.until ?? '')
  }
}

export const turnFile = (turns: readonly Turn[]): TurnFile =>
  [...Map.groupBy(turns, ({ day, state }) => `${day} ${state}`)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, some]) => {
      const [day = '', state = ''] = key.split(' ')
      return [day, state as TurnFile[number][1], some.map(({ id }) => id)] as const
    })

/** The state as the map draws it: working and unconfirmed have no mark. */
const drawn = (state: string | null | undefined): string =>
  !state || state === 'unconfirmed' || state === 'works' ? '' : state

const dayAfter = (day: string): string =>
  day === '' ? '' : new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
