/** What is found in place of the registry by a bundler for another runtime than Node's. */
function refuse(): never {
  throw new Error(
    "openfountain needs Node, and this is an edge runtime or a worker: in Next, write export const runtime = 'nodejs' in the route",
  )
}

// Assigned, so that a bundler cannot tell what is exported, and leaves the message to whoever runs it.
module.exports = refuse()
