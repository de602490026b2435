// Renders an hour of film into the folder that it is given, until it is killed. Sends a message once it is under way.
import { buildItem, buildPlan, makeStill, startRender } from './film-fixtures.ts'

const plan = buildPlan({ durationMs: 3_600_000, screen: [buildItem('still', [0, 3_600_000], await makeStill('teal'))] })
const film = await startRender(plan, process.argv[2] ?? '.', { onProgress: () => process.send?.('under way') })
await film.discard()
