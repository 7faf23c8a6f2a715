/** States with a mark at the corner of a symbol. */
export const markedStates = ['broken', 'reported', 'off'] as const

/** All marks. */
export const marks = [...markedStates, 'private'] as const
export type Mark = (typeof marks)[number]

/** The name of a mark, as the layers compose it. */
export const markName = (mark: Mark): string => `mark-${mark}`

type Stroke = readonly [number, number, number, number]

/** Lines of each mark, from its middle: they differ in shape as well as in colour. */
export const strokes: Readonly<Record<Mark, readonly Stroke[]>> = {
  broken: [
    [-2.4, -2.4, 2.4, 2.4],
    [-2.4, 2.4, 2.4, -2.4],
  ],
  reported: [
    [0, -3.4, 0, 0.4],
    [0, 3.2, 0, 3.3],
  ],
  off: [
    [-1.9, -2.8, -1.9, 2.8],
    [1.9, -2.8, 1.9, 2.8],
  ],
  private: [[-3.2, 0, 3.2, 0]],
}
