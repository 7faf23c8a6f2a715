import { z } from 'zod'
import { forEachOf } from '../fields/field.ts'
import { statisticsFields } from '../fields/statistics.ts'

/** Totals of a registry. `totalContributions` counts log entries and all reviews ever posted. */
export const Statistics = z.object(forEachOf(statisticsFields, z.int())).meta({ id: 'Statistics' })
export type Statistics = z.infer<typeof Statistics>
