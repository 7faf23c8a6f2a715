import type { Review } from '@openfountain/core'
import { limits } from '@openfountain/core/rules'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { exchange, Refusal } from '../../api/request.ts'
import { fill } from '../../messages.ts'
import { Field, Flag, Rating, textIn } from '../../ui/form.tsx'
import { tell } from '../../ui/notice.tsx'
import { readDraft } from '../form/drafts.ts'
import { fieldsOf, type Fields } from '../members.ts'
import type { Draft, Submission } from '../outbox/outbox.ts'
import { sendOrCorrect, waitingText } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { openSheet } from '../sheet.tsx'

/**
 * Rates a fountain, with or without a comment; an earlier review of the same user can be changed.
 *
 * @param refused the refused review that is corrected
 */
export async function review(setting: Setting, { id, name }: Subject, refused?: Submission): Promise<void> {
  const { contribute, rules } = setting.words
  const draft = refused ? `change:${refused.key}` : `review:${id}`
  const before = readDraft(setting, draft) ?? fieldsOf(refused?.body)
  const earlier = refused ? Promise.resolve(undefined) : newestOf(setting, id)
  /** The review that is changed, in its current state; undefined while a new one is written. */
  let changed: Review | undefined
  await openSheet(setting, {
    title: setting.with(contribute.reviewTitle, { name }),
    fields: ['rating', 'comment'],
    submit: contribute.publish,
    draft,
    refused,
    valuesOf: (data) => ({
      rating: textIn(data, 'rating'),
      comment: textIn(data, 'comment'),
      changes: changed?.id,
    }),
    content: (
      <ReviewFields
        setting={setting}
        before={before}
        earlier={earlier}
        change={(one) => {
          changed = one
        }}
      />
    ),
    async send(data) {
      const comment = textIn(data, 'comment')
      const { method, path } = targetOf(changed, refused)
      const isChange = method === 'PATCH'
      const body = {
        bubblerId: id,
        rating: Number(textIn(data, 'rating')),
        // An empty one clears the earlier.
        ...((isChange || comment !== '') && { comment }),
      }
      const sent = await sendOrCorrect(
        setting,
        { kind: 'review', method, path, body, subject: name },
        refused,
      )
      if (sent.state === 'waiting') tell(waitingText(setting))
      else if (sent.state !== 'refused')
        tell(
          isChange
            ? contribute.saved
            : fill(contribute.reviewed, { xp: setting.format.number(rules.xp.postReview) }),
        )
      return sent
    },
  }).closed
}

interface ReviewFieldsProps {
  readonly setting: Setting
  /** The entries to begin with, and the id of the review that was being changed. */
  readonly before: Fields
  /** The user's newest review of the fountain. */
  readonly earlier: Promise<Review | undefined>
  change(review: Review | undefined): void
}

/** Where the registry allows one review per user, the earlier one is changed without a question. */
function ReviewFields({ setting, before, earlier, change }: ReviewFieldsProps) {
  const { words, format } = setting
  const { contribute, stars, rules } = words
  const { min, max } = limits.rating
  const root = useRef<HTMLDivElement>(null)
  const [found, setFound] = useState<Review>()
  const [given, setGiven] = useState(before)
  const choose = (one: Review | undefined): void => {
    change(one)
    const form = root.current?.closest('form')
    const data = new FormData(form ?? undefined)
    if (one && textIn(data, 'rating') === '' && textIn(data, 'comment') === '') setGiven(fieldsOf(one))
  }
  useEffect(() => {
    const offer = async (): Promise<void> => {
      const one = await earlier
      setFound(one)
      if (one && (rules.reviews.onePerWaypoint || before['changes'] === one.id)) choose(one)
    }
    void offer()
  }, [])
  useLayoutEffect(() => {
    // Controls keep what was entered, so that a new value is set beside its default.
    for (const field of root.current?.querySelectorAll('input,textarea') ?? []) {
      if (field instanceof HTMLTextAreaElement) field.value = field.defaultValue
      else if (field instanceof HTMLInputElement && field.name === 'rating')
        field.checked = field.defaultChecked
    }
  }, [given])
  return (
    <div class="stack-4" ref={root}>
      {found && !rules.reviews.onePerWaypoint && (
        <Flag
          name="changes"
          label={fill(contribute.changeReview, { date: format.date(found.createdAt) })}
          defaultChecked={before['changes'] === found.id}
          onChange={({ currentTarget }) => choose(currentTarget.checked ? found : undefined)}
        />
      )}
      <Rating
        name="rating"
        label={contribute.rating}
        stars={Array.from({ length: max - min + 1 }, (_, index) => min + index)}
        textOf={(n) => fill(stars, { n: format.number(n) })}
        chosen={[String(given['rating'] ?? '')]}
      />
      <Field
        name="comment"
        rows={3}
        label={contribute.comment}
        hint={contribute.commentHint}
        maxLength={limits.comment}
        defaultValue={String(given['comment'] ?? '')}
      />
    </div>
  )
}

/** The user's newest review of a fountain. When the server cannot be reached, it decides later. */
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

function targetOf(
  changed: Review | undefined,
  refused: Submission | undefined,
): Pick<Draft, 'method' | 'path'> {
  if (refused) return refused
  return changed
    ? { method: 'PATCH', path: `/reviews?id=${changed.id}` }
    : { method: 'POST', path: '/reviews' }
}
