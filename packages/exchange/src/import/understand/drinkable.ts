import type { OptionalValues } from '@openfountain/core/fields'
import { folded } from '@openfountain/core/letters'
import { yesOrNo } from './cell-text.ts'
import type { Cells } from './cells.ts'
import { kindMeaning } from './kinds.ts'

const unsigned =
  /^(?:unsigned|unmarked|unlabel+ed|not (?:signed|marked|labelled)|no sign|nicht (?:gekennzeichnet|beschildert)|ohne (?:schild|hinweis|kennzeichnung)|non (?:signalee?|segnalat[ao])|sin senalizar)$/u
const drinking =
  /^(?:drinking water|drinkable|potable|trinkwasser|trinkbar|eau potable|acqua potabile|potabile|agua potable|aigua potable|agua potavel|potavel|drinkwater|dricksvatten|drikkevann|drikkevand)$/u

/** What a table says of the water, in a column of its own or by a kind that is not for drinking; undefined when it says nothing. */
export function drinkableIn(cells: Cells): OptionalValues['drinkable'] | undefined {
  const value = cells.first('drinkable')
  const isDrinkable = yesOrNo(value)
  if (isDrinkable !== undefined) return isDrinkable ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : ''
  if ([text, ...cells.all('kind')].some(isNotForDrinking)) return 'no'
  const plain = folded(text.slice(0, 60))
  if (unsigned.test(plain)) return 'unsigned'
  return drinking.test(plain) ? 'yes' : undefined
}

const isNotForDrinking = (words: string): boolean => kindMeaning(words).leftOut?.code === 'NOT_DRINKABLE'
