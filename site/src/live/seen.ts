import { getJson } from './asking.ts'
import { isId, record } from './entries.ts'

/** What the server says of fountains by their ids. */
export type Statuses = ReadonlyMap<number, unknown>

/** What it says of a fountain of which nothing is known any more. */
const unknown = { state: 'unconfirmed', supporters: 0 }

/** Reads what passers-by saw since the site was built, of which the log does not tell. */
export class Seen {
  readonly #address: string
  #before: Statuses = new Map()

  /**
   * @param api address of the API without a slash at its end
   * @param builtAt when the data was written that the site was built from, ISO 8601 UTC
   */
  constructor(api: string, builtAt: string) {
    this.#address = `${api}/status.json?seenSince=${builtAt.slice(0, 10)}`
  }

  /** The statuses that are others than when they were read last. @throws when they cannot be read */
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
