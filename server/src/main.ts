import './app/memory-settings.ts'

// Only now: what is loaded before the program is put in its own place would be loaded twice.
const { runServer } = await import('./app/run-server.ts')
await runServer()
