import { levelOf, type Rules } from '@openfountain/core/rules'
import { levelStart } from '../../build/levels.ts'

/** A user's level, and the progress to the next. */
export interface LevelProgress {
  readonly level: number
  readonly xp: number
  /** XP at which the next level begins. */
  readonly nextAt: number
  /** Progress from this level to the next, 0 to 1. */
  readonly progress: number
}

/** The level that the registry's rules give for an amount of XP. */
export function levelProgress(xp: number, rules: Pick<Rules, 'levels'>): LevelProgress {
  const level = levelOf(xp, rules.levels)
  const [from, nextAt] = [levelStart(level, rules), levelStart(level + 1, rules)]
  return { level, xp, nextAt, progress: Math.min(1, Math.max(0, (xp - from) / (nextAt - from))) }
}
