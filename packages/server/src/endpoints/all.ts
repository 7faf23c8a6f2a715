import type { Registry } from '@openfountain/core'
import type { Endpoint } from '../endpoint.ts'
import { LaterText } from '../http/text-stream.ts'
import { ListMaker } from '../list-maker.ts'
import type { AppOptions } from '../options.ts'
import { answerTo, isLight, type Question } from '../question.ts'
import { areaEndpoints } from './areas.ts'
import { exportEndpoints } from './exports.ts'
import { logEndpoints } from './logs.ts'
import { reviewEndpoints } from './reviews.ts'
import { documentEndpoints, serviceEndpoints } from './service.ts'
import { sourceEndpoints } from './sources.ts'
import { statisticsEndpoints } from './statistics.ts'
import { userEndpoints } from './users.ts'
import { waypointEndpoints } from './waypoints.ts'

/** What endpoints are made from. */
export interface Foundation {
  readonly registry: Registry
  readonly options: AppOptions
  readonly version: string
  /** Makes long lists beside the thread that serves; undefined when no other thread can open the registry. */
  readonly lists: ListMaker | undefined
  /** Answers a question: here when that is light, else beside the thread that serves. */
  readonly answer: (question: Question) => Promise<string> | LaterText
}

/** The whole map of the API, in the order in which the document tells it. */
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
