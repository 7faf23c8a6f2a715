import type { Stages } from '../../status/stage.ts'
import type { TurnFile } from '../data/turns.ts'

/**
 * Collects the days on which fountains of the tiles change their state. States of the tiles are as of the day of the
 * build.
 */
export class TurnCollector {
  readonly #ids = new Map<string, number[]>()

  /** @param state as the tiles have it */
  add(id: number, state: string | null | undefined, stages: Stages): void {
    let [known, from] = [drawn(state), '']
    for (const stage of [...stages, undefined]) {
      const now = drawn(stage?.state)
      if (now !== known) this.#turn(from, now, id)
      if (stage !== undefined && stage.until === undefined) return
      known = now
      from = dayAfter(stage?.until ?? '')
    }
  }

  #turn(day: string, state: string, id: number): void {
    const key = `${day} ${state}`
    const ids = this.#ids.get(key) ?? []
    ids.push(id)
    this.#ids.set(key, ids)
  }

  /** In the order of the days; the first day is empty, for states that hold from the beginning. */
  result(): TurnFile {
    return [...this.#ids]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, ids]) => {
        const [day = '', state = ''] = key.split(' ')
        return [day, state as TurnFile[number][1], ids] as const
      })
  }
}

/** The state as the map draws it: working and unconfirmed have no mark. */
const drawn = (state: string | null | undefined): string =>
  !state || state === 'unconfirmed' || state === 'works' ? '' : state

const dayAfter = (day: string): string =>
  day === '' ? '' : new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
