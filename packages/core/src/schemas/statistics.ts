import { z } from 'zod'

/** Totals of a registry. `totalContributions` counts log entries and all reviews ever posted. */
export const Statistics = z
  .object({
    totalWaypoints: z.int(),
    totalVerifiedWaypoints: z.int(),
    totalUsers: z.int(),
    totalReviews: z.int(),
    totalContributions: z.int(),
  })
  .meta({ id: 'Statistics' })
export type Statistics = z.infer<typeof Statistics>
