import type { Review } from '@openfountain/core'
import { exchange, Refusal } from '../../api/request.ts'
import { element } from '../../map/card/markup.ts'
import { fill } from '../../messages.ts'
import type { Setting } from '../setting.ts'

/** The user's earlier review of a fountain, and whether they change it instead of writing another. */
export interface OwnReview {
  /** The place of the checkbox; empty until the server has returned an earlier review. */
  readonly root: HTMLElement
  /** The review that is changed, in its current state; undefined while a new one is written. */
  readonly changed: Review | undefined
}

export interface OwnReviewOptions {
  /** The id of the fountain. */
  readonly id: number
  /** The id of the review that was being changed when the form was closed. */
  readonly chosen: unknown
  /** Called with the review when the user changes it. */
  readonly onChange: (review: Review) => void
}

/**
 * Looks for the user's newest review of a fountain, while the form is open already. Where the registry allows one per
 * user, it is changed without a question. When the server cannot be reached, it decides later.
 */
export function ownReview(setting: Setting, { id, chosen, onChange }: OwnReviewOptions): OwnReview {
  const root = element('div', {})
  let changed: Review | undefined
  const change = (review: Review | undefined): void => {
    changed = review
    if (review) onChange(review)
  }
  const offer = (review: Review | undefined): void => {
    if (!review) return
    if (setting.words.rules.reviews.onePerWaypoint) return change(review)
    const input = element('input', { type: 'checkbox' })
    input.addEventListener('change', () => change(input.checked ? review : undefined))
    const date = setting.format.date(review.createdAt)
    const text = fill(setting.words.contribute.changeReview, { date })
    root.className = 'contribute-field'
    root.append(element('label', { class: 'contribute-flag' }, input, text))
    if (chosen !== review.id) return
    input.checked = true
    change(review)
  }
  newestOf(setting, id).then(offer, reportError)
  return {
    root,
    get changed() {
      return changed
    },
  }
}

async function newestOf({ site, person }: Setting, id: number): Promise<Review | undefined> {
  if (!person) return undefined
  const query = new URLSearchParams({ userId: person.id, bubblerId: String(id) }).toString()
  try {
    const { body } = await exchange<{ reviews: Review[] }>(site, 'GET', `/reviews?${query}`, {
      timeoutMilliseconds: 10_000,
    })
    return body.reviews.at(-1)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
