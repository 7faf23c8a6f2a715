import type { Rules } from '@openfountain/core'

/** The XP at which a level begins. Level 1 is the first. */
export function levelStart(level: number, { levels }: Pick<Rules, 'levels'>): number {
  const listed = levels.starts[level - 1]
  if (listed !== undefined) return listed
  return (levels.starts.at(-1) ?? 0) + (level - levels.starts.length) * levels.thenEvery
}

export function levelTable(rules: Pick<Rules, 'levels'>): { level: number; from: number }[] {
  return Array.from({ length: rules.levels.starts.length + 2 }, (_, index) => ({
    level: index + 1,
    from: levelStart(index + 1, rules),
  }))
}
