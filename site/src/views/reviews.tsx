import type { Review } from '../data/records.ts'
import { usePage } from './on-page.tsx'
import { PersonWithBadge, Stars, UserText, type Person } from './parts.tsx'

export interface ShownReview extends Review {
  readonly by: Person
}

export function Reviews({
  reviews,
  title,
}: {
  readonly reviews: readonly ShownReview[]
  readonly title: string
}) {
  const page = usePage()
  return (
    <section class="section" id="reviews">
      <h2 {...page.said('waypoint.reviews')} />
      {reviews.length === 0 ? (
        <p class="quiet" {...page.said('waypoint.noReviews')} />
      ) : (
        <ul class="stack-5 reviews">
          {reviews.map((review) => (
            <li key={review.id} class="stack-1 review">
              <p class="row">
                <Stars rating={review.rating} /> <PersonWithBadge person={review.by} />{' '}
                <time class="faint" {...page.date(review.created_at)} />{' '}
                {page.hasForms && (
                  <button
                    class="text-button review-report no-print"
                    type="button"
                    id={`report-${review.id}`}
                    data-contribute="report"
                    data-report-review={review.id}
                    data-name={title}
                    aria-label={page.text('contribute.reportReview')}
                    data-t-label={page.key('contribute.reportReview')}
                    data-needs-script=""
                    {...page.said('contribute.action.report')}
                  />
                )}
              </p>
              <UserText text={review.comment} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
