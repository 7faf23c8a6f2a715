import { sql } from 'kysely'
import { actions, type Action } from '../../../log/entry.ts'
import type { ChangeFilter } from '../../changes.ts'
import type { Paging } from '../../reads.ts'
import { param, type Statements } from '../connection/statement.ts'
import { Codes, lengthened, roomFor } from '../../arrays.ts'
import type { Follower } from './following.ts'

/** Entries that are read in one step. */
const step = 2000

/** Filters by what a waypoint's own index does not have. */
export type ActionFilter = Omit<ChangeFilter, 'bubblerId'>

/** Who did what, as columns of numbers with one place for each entry of the log. */
export class ActionColumns implements Follower {
  readonly #reading
  #last = 0
  /** 0 for entries that are not about waypoints. */
  #actions = new Uint8Array()
  #users = new Uint32Array()
  readonly #userCodes = new Codes()

  constructor(statements: Statements) {
    this.#reading = statements.columns<[id: number, by: string, action: Action]>(
      sql`select id, by, action from entries
        where id > ${param('after')} and id <= ${param('to')} and subject = 'waypoint'`,
    )
  }

  /** Entries never change, so that reading all of them is following the log from its beginning. */
  load(to: number): Generator<void> {
    return this.follow(0, to)
  }

  *follow(after: number, to: number): Generator<void> {
    if (to >= this.#actions.length) {
      this.#actions = lengthened(this.#actions, roomFor(to))
      this.#users = lengthened(this.#users, roomFor(to))
    }
    for (let from = after; from < to; from += step) {
      for (const [id, by, action] of this.#reading.all({ after: from, to: Math.min(to, from + step) })) {
        this.#actions[id] = actions.indexOf(action) + 1
        this.#users[id] = this.#userCodes.of(by)
      }
      yield
    }
    this.#last = to
  }

  #matcher({ userId, action }: ActionFilter): ((id: number) => boolean) | undefined {
    const user = userId === undefined ? 0 : this.#userCodes.known(userId)
    if (user === undefined) return undefined
    const code = action === undefined ? 0 : actions.indexOf(action) + 1
    const [codes, users] = [this.#actions, this.#users]
    return (id) => {
      const is = codes[id] ?? 0
      return is !== 0 && (code === 0 || is === code) && (user === 0 || users[id] === user)
    }
  }

  /** The ids of a page of actions, in its order. */
  page(filter: ActionFilter & Paging): number[] {
    const found: number[] = []
    const matches = this.#matcher(filter)
    if (matches === undefined) return found
    const { order, after, limit, offset } = filter
    const [first, end, by] = order === 'asc' ? [after + 1, this.#last + 1, 1] : [this.#last, after, -1]
    let left = offset
    for (let id = first; (end - id) * by > 0 && found.length < limit; id += by)
      if (matches(id) && left-- <= 0) found.push(id)
    return found
  }

  /** The number of actions that match. */
  count(filter: ActionFilter): number {
    const matches = this.#matcher(filter)
    if (matches === undefined) return 0
    let count = 0
    for (let id = filter.after + 1; id <= this.#last; id++) if (matches(id)) count++
    return count
  }
}
