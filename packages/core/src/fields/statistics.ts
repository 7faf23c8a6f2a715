import type { Fields } from './field.ts'

/** The totals of a registry. */
export const statisticsFields = {
  totalWaypoints: {
    type: 'whole',
    setBy: 'nobody',
    column: 'total_waypoints',
    meaning: 'Live waypoints',
  },
  totalVerifiedWaypoints: {
    type: 'whole',
    setBy: 'nobody',
    column: 'total_verified_waypoints',
    meaning: 'Live waypoints that are verified',
  },
  totalUsers: {
    type: 'whole',
    setBy: 'nobody',
    column: 'total_users',
    meaning: 'Accounts, without the built-in one',
  },
  totalReviews: { type: 'whole', setBy: 'nobody', column: 'total_reviews', meaning: 'Live reviews' },
  totalContributions: {
    type: 'whole',
    setBy: 'nobody',
    column: 'total_contributions',
    meaning: 'Everything that contributors ever did',
  },
} as const satisfies Fields
