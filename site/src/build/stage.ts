import { textsOf } from '../texts.ts'
import type { Stage } from '../status/stage.ts'
import { dated, statusText } from '../status/words.ts'
import type { View } from './view.ts'

/** A stage as a sentence that stays right, with its date. */
export function datedStage({ m, f }: View, stage: Stage): string | undefined {
  const texts = textsOf(m)
  const sentence = statusText(texts, m.count, f, stage)
  return sentence && dated(texts, f, sentence)
}
