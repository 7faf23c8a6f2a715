import type { LeaderboardEntry } from '@openfountain/core'
import { usePage } from './on-page.tsx'
import { PersonWithBadge, type Person } from './parts.tsx'

type Leader = Pick<LeaderboardEntry, 'level' | 'xp' | 'stats' | 'earned'> & { readonly person: Person }

/** People by XP, or by what they earned in a week or a region. */
export function Leaders({ leaders }: { readonly leaders: readonly Leader[] }) {
  const page = usePage()
  const isPart = leaders.some(({ earned }) => earned !== undefined)
  const [said, number] = [page.said.bind(page), page.number.bind(page)]
  return (
    <div class="table-wrap">
      <table class="table">
        <thead>
          <tr>
            <th scope="col" class="number" {...said('leaderboard.rank')} />
            <th scope="col" {...said('leaderboard.name')} />
            <th scope="col" class="number" {...said('leaderboard.level')} />
            <th scope="col" class="number" {...said(isPart ? 'leaderboard.earned' : 'leaderboard.xp')} />
            {!isPart && (
              <>
                <th scope="col" class="number wide-only" {...said('leaderboard.created')} />
                <th scope="col" class="number wide-only" {...said('leaderboard.edited')} />
                <th scope="col" class="number wide-only" {...said('leaderboard.reviews')} />
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {leaders.map(({ person, level, xp, earned, stats }, index) => (
            <tr key={person.id} data-person={person.id}>
              <td class="number rank">
                {index < 3 ? <span class={`medal medal-${index + 1}`}>{index + 1}</span> : index + 1}
              </td>
              <th scope="row">
                <PersonWithBadge person={person} />
              </th>
              <td class="number" {...number(level)} />
              <td class="number strong" {...number(earned ?? xp)} />
              {!isPart && (
                <>
                  <td class="number wide-only" {...number(stats.waypointsCreated)} />
                  <td class="number wide-only" {...number(stats.waypointsEdited)} />
                  <td class="number wide-only" {...number(stats.reviewsPosted)} />
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
