import type { Format } from '../messages.ts'

export const Moment = ({ at, format }: { readonly at: string; readonly format: Format }) => (
  <time class="faint" datetime={at}>{`${format.date(at)}, ${format.time(at)}`}</time>
)
