export const markedStates = ['broken', 'reported', 'off'] as const

export const marks = [...markedStates, 'private'] as const
export type Mark = (typeof marks)[number]

export const markName = (mark: Mark): string => `mark-${mark}`

/** Lines of each mark, from its middle, as SVG paths: they differ in shape as well as in colour. */
export const strokes: Readonly<Record<Mark, string>> = {
  broken: 'M-2.4-2.4 2.4 2.4M-2.4 2.4 2.4-2.4',
  reported: 'M0-3.4V.4M0 3.2V3.3',
  off: 'M-1.9-2.8V2.8M1.9-2.8V2.8',
  private: 'M-3.2 0H3.2',
}
