import type { LogEntry } from '@openfountain/core'
import { useState } from 'preact/hooks'
import { ActButton, type Act } from './act.tsx'
import { desk, personName, words } from './config.ts'
import { differenceList, entryItem, named, personLink, quoted } from './parts.tsx'
import type { Difference, Place } from './parts.tsx'
import { historyPage, person, readHistory } from './requests.ts'

const entryFields: ReadonlySet<string> = new Set(['via', 'reason'])

export const changedIn = ({ changes }: LogEntry): readonly (readonly [field: string, after: unknown])[] =>
  Object.entries(changes).filter(([field]) => !entryFields.has(field))

/** The differences of each entry by its id. @param logs newest first @param isWhole whether the oldest is the first entry of all */
function differences(
  logs: readonly LogEntry[],
  isWhole: boolean,
): ReadonlyMap<number, readonly Difference[]> {
  const values = new Map<string, unknown>()
  const found = new Map<number, readonly Difference[]>()
  for (const entry of logs.toReversed()) {
    const changed = changedIn(entry)
    found.set(
      entry.id,
      changed.map(([field, after]) => ({
        field,
        after,
        ...((isWhole || values.has(field)) && { before: { value: values.get(field) } }),
      })),
    )
    for (const [field, after] of changed) values.set(field, after)
    for (const field of entry.redacted?.fields ?? []) values.delete(field)
  }
  return found
}

export class History {
  logs: readonly LogEntry[] = []
  isWhole = false
  readonly names = new Map<string, string>()
  readonly #id: number

  constructor(id: number) {
    this.#id = id
  }

  /** Loads the next page. @throws Refusal */
  async load(): Promise<void> {
    const { logs, total } = await readHistory(this.#id, this.logs.length)
    for (const { userId } of logs)
      if (!this.names.has(userId))
        this.names.set(userId, personName((await person(userId)) ?? { id: userId }))
    this.logs = [...this.logs, ...logs]
    this.isWhole = this.logs.length >= total || logs.length < historyPage
  }

  /** The place before the last move, as far as it is loaded. */
  placeBefore(): Place | undefined {
    let before: Partial<Place> = {}
    let now = before
    for (const { changes } of this.logs.toReversed()) {
      const { latitude = now.latitude, longitude = now.longitude } = changes as Partial<Place>
      if (latitude === now.latitude && longitude === now.longitude) continue
      before = now
      now = { latitude, longitude } as Partial<Place>
    }
    const { latitude, longitude } = before
    return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
  }

  /** The entry to revert: the one with the focus, else the newest of a person, else the newest. */
  chosen(userId: string | undefined): LogEntry | undefined {
    const row = document.activeElement?.closest<HTMLElement>('[data-entry]')
    return (
      this.logs.find(({ id }) => String(id) === row?.dataset['entry']) ??
      this.logs.find((entry) => entry.userId === userId) ??
      this.logs[0]
    )
  }
}

/** The history of a fountain, with the differences of each entry; a button loads further pages. */
export function HistoryList({
  history,
  revert,
}: {
  readonly history: History
  revert(entry: LogEntry): Act
}) {
  const [, draw] = useState({})
  const { logs, isWhole, names } = history
  const changed = differences(logs, isWhole)
  async function older(): Promise<undefined> {
    await history.load()
    draw({})
  }
  return (
    <section class="stack-3">
      <h3>{desk.history}</h3>
      <ol>
        {logs.map((entry) => {
          const found = changed.get(entry.id) ?? []
          const what = entry.redacted && ` · ${words.waypoint.redacted}`
          const more = (
            <>
              <span class="entry-meta">{personLink(entry.userId, named(names.get(entry.userId) ?? ''))}</span>
              {quoted(entry.changes['reason'])}
              {found.length > 0 && differenceList(found, entry.action === 'created')}
            </>
          )
          return entryItem(entry, what, revert(entry), more)
        })}
      </ol>
      {logs.length === 0 && <p class="quiet">{desk.historyEmpty}</p>}
      {!isWhole && <ActButton isSmall act={{ label: desk.older, work: older }} />}
    </section>
  )
}
