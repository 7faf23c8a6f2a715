import type { LogEntry } from '@openfountain/core'
import { fill } from '../../messages.ts'
import { desk, format, labelled, moment, words } from './config.ts'
import { button, element, named } from './element.ts'
import { fieldName, historyPage, readHistory, valueText } from './fountain.ts'
import { person, personName } from './people.ts'

/** Fields of the entry itself, not of the fountain. */
const entryFields: ReadonlySet<string> = new Set(['via', 'reason'])

/** A changed field; `before` is absent when the entry that set it is not loaded. */
export interface Difference {
  readonly field: string
  readonly after: unknown
  readonly before?: { readonly value: unknown }
}

/**
 * The differences of each entry, by its id. The value before is that of the nearest older entry with the field.
 *
 * @param logs newest first
 * @param isWhole whether the oldest is the fountain's first entry, before which no field had a value
 */
export function differences(
  logs: readonly LogEntry[],
  isWhole: boolean,
): ReadonlyMap<number, readonly Difference[]> {
  const values = new Map<string, unknown>()
  const found = new Map<number, readonly Difference[]>()
  for (const { id, changes, redacted } of logs.toReversed()) {
    const changed = Object.entries(changes).filter(([field]) => !entryFields.has(field))
    found.set(
      id,
      changed.map(([field, after]) => ({
        field,
        after,
        ...((isWhole || values.has(field)) && { before: { value: values.get(field) } }),
      })),
    )
    for (const [field, after] of changed) values.set(field, after)
    // A redacted field had a value that is no longer readable.
    for (const field of redacted?.fields ?? []) values.delete(field)
  }
  return found
}

/** A field's value before and after, as a term and its description. */
export function differenceRow({ field, before, after }: Difference, isNew: boolean): HTMLElement {
  const values = element('dd', 'change')
  if (!isNew) {
    const old = element('del', '', named(before ? valueText(field, before.value) : desk.unknownBefore))
    values.append(element('span', 'visually-hidden', labelled(desk.was, '')), old, ' → ')
    values.append(element('span', 'visually-hidden', labelled(desk.is, '')))
  }
  values.append(element('ins', '', named(valueText(field, after))))
  return element('div', '', element('dt', '', fieldName(field)), values)
}

export interface HistoryOptions {
  /** Called with the entry to revert. */
  revert(entry: LogEntry): void
}

/** The history of a fountain, newest first, with the differences of each entry; a button loads further pages. */
export class HistoryList {
  readonly root = element('section', 'desk-part')
  readonly #list = element('ol', 'timeline desk-history')
  readonly #id: number
  readonly #options: HistoryOptions
  #logs: LogEntry[] = []

  constructor(id: number, options: HistoryOptions) {
    this.#id = id
    this.#options = options
    this.root.append(element('h3', '', desk.history), this.#list)
  }

  /** The newest entry, which is reverted when none is selected. */
  get newest(): LogEntry | undefined {
    return this.#logs[0]
  }

  /** The newest entry by a user. */
  newestBy(userId: string | undefined): LogEntry | undefined {
    return this.#logs.find((entry) => entry.userId === userId)
  }

  /** The entry in which the focus is. */
  get focused(): LogEntry | undefined {
    const row = document.activeElement?.closest<HTMLElement>('[data-entry]')
    return this.#logs.find(({ id }) => String(id) === row?.dataset['entry'])
  }

  /** Loads the next page and shows it. @throws Refusal */
  async load(): Promise<void> {
    const { logs, total } = await readHistory(this.#id, this.#logs.length)
    this.#logs.push(...logs)
    const isWhole = this.#logs.length >= total || logs.length < historyPage
    const changed = differences(this.#logs, isWhole)
    const names = new Map<string, string>()
    for (const { userId } of this.#logs)
      if (!names.has(userId)) names.set(userId, personName((await person(userId)) ?? { id: userId }))
    this.#list.replaceChildren(
      ...this.#logs.map((entry) =>
        this.#row(entry, changed.get(entry.id) ?? [], names.get(entry.userId) ?? ''),
      ),
    )
    this.root.querySelector('.desk-older')?.remove()
    if (this.#logs.length === 0) this.root.append(element('p', 'quiet', desk.historyEmpty))
    if (isWhole) return
    const older = button(desk.older, () => void this.load().catch(() => undefined), {
      className: 'button button-quiet button-small desk-older',
    })
    this.root.append(older)
  }

  #row(entry: LogEntry, changed: readonly Difference[], by: string): HTMLElement {
    const { id, action, timestamp, changes, redacted } = entry
    const row = element('li', 'desk-entry')
    row.dataset['entry'] = String(id)
    const text = element('div', 'entry-text')
    const what = element('span', 'entry-what', element('strong', '', words.action[action]))
    if (redacted) what.append(' · ', words.redacted)
    const meta = element('span', 'entry-meta')
    const time = element('time', '', moment(timestamp))
    time.dateTime = timestamp
    meta.append(time, named(by))
    text.append(what, meta)
    const { reason } = changes
    if (typeof reason === 'string') text.append(element('q', 'desk-reason', named(reason)))
    if (changed.length > 0) {
      const list = element('dl', 'changes')
      list.append(...changed.map((one) => differenceRow(one, action === 'created')))
      text.append(list)
    }
    const revert = button(desk.revert, () => this.#options.revert(entry), {
      className: 'button button-quiet button-small',
    })
    revert.ariaLabel = labelled(desk.revert, fill(desk.entry, { id: format.number(id) }))
    row.append(text, revert)
    return row
  }
}
