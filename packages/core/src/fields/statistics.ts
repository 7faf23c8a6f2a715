import { fields } from './field.ts'

export const statisticsFields = fields({
  totalWaypoints: { type: 'whole', setBy: 'nobody', meaning: 'Live waypoints' },
  totalVerifiedWaypoints: { type: 'whole', setBy: 'nobody', meaning: 'Live waypoints that are verified' },
  totalUsers: { type: 'whole', setBy: 'nobody', meaning: 'Accounts, without the built-in one' },
  totalReviews: { type: 'whole', setBy: 'nobody', meaning: 'Live reviews' },
  totalContributions: { type: 'whole', setBy: 'nobody', meaning: 'Everything that contributors ever did' },
})
