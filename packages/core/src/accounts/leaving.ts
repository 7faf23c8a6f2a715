import { leave } from '../decide/leaving.ts'
import { fieldsOfAuthor, redactEntry } from '../decide/redaction.ts'
import type { StoredEntry } from '../log/entry.ts'
import type { ReportSecurity } from '../security-events.ts'
import { mustNotBeAlongside } from '../store/alongside.ts'
import type { Store } from '../store/port.ts'
import { barredKeys } from './barred.ts'
import { entriesBy } from './entries.ts'

/** The reason of a redaction that its author asked for; it is public. */
const authorLeft = 'its author left and asked for it'

/** How somebody leaves. */
export interface LeavingOptions {
  /** Their name, as a safeguard. */
  readonly confirm?: string | undefined
  /** `erase` also redacts what they wrote, but for names of fountains. */
  readonly texts: 'keep' | 'erase'
}

/** People who leave, and what goes with them. @internal */
export class Leaving {
  readonly #store: Store
  readonly #report: ReportSecurity
  readonly #scrub: () => Promise<void>
  readonly #listLeft: (userId: string) => Promise<void>

  constructor(
    store: Store,
    options: {
      readonly report: ReportSecurity
      readonly scrub: () => Promise<void>
      /** Lists outside the database that somebody has left. */
      readonly listLeft: (userId: string) => Promise<void>
    },
  ) {
    this.#store = store
    this.#report = options.report
    this.#scrub = options.scrub
    this.#listLeft = options.listLeft
  }

  async leave(userId: string, { confirm, texts }: LeavingOptions): Promise<void> {
    if (texts === 'erase') mustNotBeAlongside()
    const barredKeyOf = await barredKeys(this.#store)
    const leaving = (at: string) => leave(at, userId, { confirm, barredKeyOf })
    // A wrong confirmation must not find texts erased.
    await this.#store.write({ decide: leaving, dryRun: true })
    // Texts go first, so that whoever is interrupted can ask again.
    if (texts === 'erase') await this.#eraseTexts(userId)
    const observations = await this.#store.write({ decide: leaving })
    this.#report('account.left', { user: userId })
    // Nothing is written as them any more: what came during the first round is the last.
    if (texts === 'erase') {
      await this.#eraseTexts(userId)
      // That they are theirs is not known any more.
      await this.#eraseObservations(userId, observations)
    }
    await this.#listLeft(userId)
    await this.#scrub()
  }

  async #eraseObservations(userId: string, ids: readonly number[]): Promise<void> {
    const { entries } = this.#store.read
    // The entry that made an observation has its id.
    const made = await Promise.all(ids.map((id) => entries.get(id)))
    await this.#erase(userId, [made.filter((entry) => entry !== undefined)])
  }

  async #eraseTexts(userId: string): Promise<void> {
    await this.#erase(userId, entriesBy(this.#store.read.entries, userId))
  }

  async #erase(
    userId: string,
    pages: AsyncIterable<readonly StoredEntry[]> | Iterable<readonly StoredEntry[]>,
  ): Promise<void> {
    const lost: number[] = []
    for await (const page of pages) {
      const jobs = page.flatMap((entry) => {
        const fields = fieldsOfAuthor(entry)
        return fields.length === 0
          ? []
          : [
              {
                decide: () =>
                  redactEntry({ id: entry.id, fields, reason: authorLeft }, { isRepeatable: true }),
              },
            ]
      })
      for (const outcome of await this.#store.writeBatch(jobs)) {
        if (!outcome.ok) throw outcome.error
        lost.push(...outcome.answer.entries)
      }
    }
    if (lost.length > 0) this.#report('text.redacted', { user: userId, entries: lost })
  }
}
