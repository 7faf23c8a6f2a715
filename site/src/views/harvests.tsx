import type { Harvesting } from '@openfountain/core/internal'
import { usePage } from './on-page.tsx'

type Harvest = Harvesting['harvests'][number]

/** How often a source is fetched, since when it is out of date, and what came of it lately. */
export function Harvests({ harvesting }: { readonly harvesting: Harvesting }) {
  const page = usePage()
  const { every, checkedAt, staleSince, harvests } = harvesting
  const day = (at: string) => page.format.date(at)
  const reasonOf = ({ reason }: Pick<Harvest, 'reason'>) =>
    reason === undefined ? '' : page.text(`harvest.reason.${reason}`)
  const outcomeOf = (harvest: Harvest): string => {
    const { outcome, read, added, changed, missing, refused } = harvest
    if (outcome === 'unchanged') return page.text('harvest.unchanged')
    if (outcome !== 'imported') return page.text(`harvest.${outcome}`, { reason: reasonOf(harvest) })
    const rows = Object.entries({ read, added, changed, missing, refused })
    return page.text(
      'harvest.imported',
      Object.fromEntries(rows.map(([name, count]) => [name, page.format.number(count)])),
    )
  }
  return (
    <div class="file-what quiet small">
      <p>
        {page.text(`harvest.every.${every}`)}{' '}
        {checkedAt !== undefined && page.text('harvest.checked', { date: day(checkedAt) })}
      </p>
      {staleSince !== undefined && (
        <p class="strong">
          {page.text('harvest.stale', { date: day(staleSince), reason: reasonOf(harvests[0] ?? {}) })}
        </p>
      )}
      {harvests.length > 0 && (
        <details>
          <summary>{page.text('harvest.latest')}</summary>
          <ul>
            {harvests.map((harvest) => (
              <li key={harvest.startedAt}>
                <time dateTime={harvest.startedAt}>
                  {day(harvest.startedAt)}, {page.format.time(harvest.startedAt)}
                </time>
                : {outcomeOf(harvest)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
