import { count, fields } from './field.ts'

export const statisticsFields = fields({
  totalWaypoints: { ...count, meaning: 'Live waypoints' },
  totalVerifiedWaypoints: { ...count, meaning: 'Live waypoints that are verified' },
  totalUsers: { ...count, meaning: 'Accounts, without the built-in one' },
  totalReviews: { ...count, meaning: 'Live reviews' },
  totalContributions: { ...count, meaning: 'Everything that contributors ever did' },
})
