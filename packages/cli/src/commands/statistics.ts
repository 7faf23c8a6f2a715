import { command } from '../command.ts'
import { databaseOption, withRegistry } from '../settings.ts'

export const stats = command({
  name: 'stats',
  summary: 'Counts waypoints, users, reviews and contributions.',
  options: databaseOption,
  examples: [
    { line: 'openfountain stats', does: 'Shows the counts' },
    { line: 'openfountain stats --json', does: 'Prints what GET /api/stats returns' },
  ],
  async run({ db }, _positionals, context) {
    await withRegistry({ db }, 'read', context, async (registry) => {
      const statistics = await registry.statistics()
      context.out.facts(statistics, [
        ['waypoints', statistics.totalWaypoints],
        ['verified', statistics.totalVerifiedWaypoints],
        ['users', statistics.totalUsers],
        ['reviews', statistics.totalReviews],
        ['contributions', statistics.totalContributions],
      ])
    })
  },
})
