import { fountains } from './registry.ts'

/** app/api/[[...path]]/route.ts of a Next app. */
const handler = (request: Request): Response | Promise<Response> => fountains.fetch(request)

export {
  handler as GET,
  handler as HEAD,
  handler as POST,
  handler as PATCH,
  handler as DELETE,
  handler as OPTIONS,
}
