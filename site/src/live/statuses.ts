import { getJson } from './asking.ts'
import { isId, record } from './entries.ts'

/** Statuses of fountains by id. */
export type Statuses = ReadonlyMap<number, unknown>

/** The status of a fountain whose observations have expired. */
const unknown = { state: 'unconfirmed', supporters: 0 }

/** Reads observations of passers-by since the build, which are not in the log. */
export class StatusReader {
  readonly #address: string
  #before: Statuses = new Map()

  /**
   * @param api address of the API without a slash at its end
   * @param builtAt time of the data of the build, ISO 8601 UTC
   */
  constructor(api: string, builtAt: string) {
    this.#address = `${api}/status.json?seenSince=${builtAt.slice(0, 10)}`
  }

  /** The statuses that changed since the last read. @throws when they cannot be read */
  async read(): Promise<Statuses> {
    const { json } = await getJson(this.#address)
    const states = record(record(json)?.['states'])
    if (states === undefined) throw new Error('These are no states')
    const now = new Map(
      Object.entries(states).flatMap(([id, status]) =>
        isId(Number(id)) ? [[Number(id), status] as const] : [],
      ),
    )
    const before = this.#before
    this.#before = now
    const gone = [...before.keys()].flatMap((id) => (now.has(id) ? [] : [[id, unknown] as const]))
    const isNew = ([id, status]: readonly [number, unknown]): boolean =>
      JSON.stringify(before.get(id)) !== JSON.stringify(status)
    return new Map([...[...now].filter(isNew), ...gone])
  }
}
