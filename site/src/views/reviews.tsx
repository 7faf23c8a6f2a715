import type { Page } from './page.ts'
import { PersonWithBadge, Stars, type Person } from './parts.tsx'

/** A review with its author. */
export interface ShownReview {
  readonly id: number
  readonly rating: number
  readonly comment?: string
  /** When it was written, ISO 8601 UTC. */
  readonly at: string
  readonly by: Person
}

/** The reviews of a fountain. */
export function Reviews({
  page,
  reviews,
  title,
}: {
  readonly page: Page
  readonly reviews: readonly ShownReview[]
  /** Of the fountain. */
  readonly title: string
}) {
  return (
    <section class="section" id="reviews">
      <h2 {...page.said('waypoint.reviews')} />
      {reviews.length === 0 ? (
        <p class="quiet" {...page.said('waypoint.noReviews')} />
      ) : (
        <ul class="reviews">
          {reviews.map(({ id, rating, comment, at, by }) => (
            <li key={id} class="review">
              <p class="review-head">
                <Stars page={page} rating={rating} /> <PersonWithBadge page={page} person={by} />{' '}
                <time class="faint" {...page.date(at)} />{' '}
                {page.hasForms && (
                  <button
                    class="text-button review-report no-print"
                    type="button"
                    id={`report-${id}`}
                    data-contribute="report"
                    data-report-review={id}
                    data-name={title}
                    aria-label={page.text('contribute.reportReview')}
                    data-t-label={page.key('contribute.reportReview')}
                    data-needs-script=""
                    {...page.said('contribute.action.report')}
                  />
                )}
              </p>
              {comment && (
                <p class="text-user" dir="auto">
                  {comment}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
