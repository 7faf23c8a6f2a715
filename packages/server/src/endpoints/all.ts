import type { Endpoint } from '../endpoint.ts'
import { LaterText } from '../http/text-stream.ts'
import { ListMaker } from '../list-maker.ts'
import { answerTo, isLight, type Question } from '../question.ts'
import { areaEndpoints } from './areas.ts'
import { exportEndpoints } from './exports.ts'
import type { Foundation } from './foundation.ts'
import { logEndpoints } from './logs.ts'
import { reviewEndpoints } from './reviews.ts'
import { documentEndpoints, serviceEndpoints } from './service.ts'
import { sourceEndpoints } from './sources.ts'
import { statisticsEndpoints } from './statistics.ts'
import { userEndpoints } from './users.ts'
import { waypointEndpoints } from './waypoints.ts'

/** All endpoints of the API, in the order of the document. */
export function endpointsOf(given: Omit<Foundation, 'lists' | 'answer'>): readonly Endpoint[] {
  const { registry } = given
  // What is in memory is in this thread alone.
  const lists = registry.database === ':memory:' ? undefined : new ListMaker(registry)
  const answer = (question: Question): Promise<string> | LaterText =>
    lists === undefined || isLight(registry, question)
      ? answerTo(registry, question)
      : new LaterText(() => lists.answer(question))
  const foundation = { ...given, lists, answer }
  const data = [
    ...serviceEndpoints(foundation),
    ...waypointEndpoints(foundation),
    ...userEndpoints(foundation),
    ...reviewEndpoints(foundation),
    ...statisticsEndpoints,
    ...logEndpoints(foundation),
    ...areaEndpoints,
    ...sourceEndpoints(foundation),
    ...exportEndpoints(foundation),
  ]
  return [...data, ...documentEndpoints(data, foundation)]
}
