import { runServer } from './app/run-server.ts'

await runServer()
