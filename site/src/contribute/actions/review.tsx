import type { Review } from '@openfountain/core'
import { limits } from '@openfountain/core/rules'
import { Fragment } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Refusal } from '../../api/request.ts'
import { fill } from '../../messages.ts'
import { Flag, Rating, textIn } from '../../ui/form.tsx'
import { FormDraft } from '../drafts.ts'
import { licenseName, type Fields } from '../members.ts'
import type { Submission } from '../outbox/submission.ts'
import { ChosenPhotos } from '../photos/chosen-photos.ts'
import { photosAfter } from './photo.tsx'
import { PhotoField } from '../photos/photo-field.tsx'
import { send } from '../sending.ts'
import { readQuickly, type Setting, type Subject } from '../setting.ts'
import { Comment, openSheet } from '../sheet.tsx'

/** Rates a fountain, with or without a comment, or changes the user's review. @param refused the review that is corrected */
export async function review(setting: Setting, { id, name }: Subject, refused?: Submission): Promise<void> {
  const { words, format } = setting
  const { contribute } = words
  const draft = new FormDraft(setting, `review:${id}`, refused)
  const photos = new ChosenPhotos()
  const earlier = refused ? Promise.resolve(undefined) : newestOf(setting, id)
  await openSheet(setting, {
    title: format.withName(contribute.reviewTitle, name),
    fields: ['rating', 'comment', 'changes', licenseName],
    submit: contribute.publish,
    draft,
    content: (
      <>
        <ReviewFields setting={setting} before={draft.begun} earlier={earlier} />
        {!refused && <PhotoField setting={setting} photos={photos} />}
      </>
    ),
    async send(data) {
      const comment = textIn(data, 'comment')
      const changes = textIn(data, 'changes')
      const isChange = changes !== '' || refused?.method === 'PATCH'
      const body = {
        bubblerId: id,
        rating: Number(textIn(data, 'rating')),
        // An empty one clears the earlier.
        ...((isChange || comment !== '') && { comment }),
      }
      const request = isChange
        ? ({ method: 'PATCH', path: `/reviews?id=${changes}` } as const)
        : ({ method: 'POST', path: '/reviews' } as const)
      const thanks = isChange ? contribute.saved : contribute.reviewed
      await send(setting, { kind: 'review', ...request, body, subject: name }, thanks, refused)
      await photosAfter(setting, photos, { id, name })
    },
  }).closed
}

interface ReviewFieldsProps {
  readonly setting: Setting
  /** The entries to begin with, and the id of the review that was being changed. */
  readonly before: Fields
  /** The user's newest review of the fountain. */
  readonly earlier: Promise<Review | undefined>
}

/** Where the registry allows one review per user, the earlier one is changed without a question. */
function ReviewFields({ setting: { words, page, format }, before, earlier }: ReviewFieldsProps) {
  const { contribute, rules } = words
  const { onePerWaypoint } = rules.reviews
  const { min, max } = limits.rating
  const root = useRef<HTMLDivElement>(null)
  const [found, setFound] = useState<Review>()
  /** The entries to begin with: a review that is changed is shown, unless something was entered. */
  const [shown, setShown] = useState(before)
  const isChanged = ({ id }: Review): boolean => String(before['changes']) === String(id)
  const show = (review: Review): void => {
    const data = new FormData(root.current?.closest('form') ?? undefined)
    if (!data.has('rating') && textIn(data, 'comment') === '') setShown({ ...review })
  }
  const begin = async (): Promise<void> => {
    const one = await earlier
    setFound(one)
    if (one && (onePerWaypoint || isChanged(one))) show(one)
  }
  useEffect(() => void begin(), [])
  return (
    <div class="stack-4" ref={root}>
      {found && onePerWaypoint && <input type="hidden" name="changes" value={found.id} />}
      {found && !onePerWaypoint && (
        <Flag
          name="changes"
          value={found.id}
          label={fill(contribute.changeReview, { date: format.date(found.createdAt) })}
          defaultChecked={isChanged(found)}
          onChange={({ currentTarget }) => currentTarget.checked && show(found)}
        />
      )}
      <Fragment key={String(shown['id'])}>
        <Rating
          name="rating"
          label={contribute.rating}
          stars={Array.from({ length: max - min + 1 }, (_, index) => min + index)}
          textOf={(n) => page.text('waypoint.stars', { n: format.number(n) })}
          chosen={[String(shown['rating'] ?? '')]}
        />
        <Comment label={contribute.comment} hint={contribute.commentHint} value={shown['comment']} />
      </Fragment>
    </div>
  )
}

/** The user's newest review of a fountain. When the server cannot be reached, it decides later. */
async function newestOf({ person }: Setting, id: number): Promise<Review | undefined> {
  if (!person) return undefined
  const query = new URLSearchParams({ userId: person.id, bubblerId: String(id) }).toString()
  try {
    return (await readQuickly<{ reviews: Review[] }>(`/reviews?${query}`)).body.reviews.at(-1)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
