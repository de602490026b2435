// What runs here, as the service says it of itself.
const state = document.querySelector('#state')

const say = (text, isBad) => {
  state.textContent = text
  state.classList.add(isBad ? 'bad' : 'good')
}

const asked = async (path) => (await fetch(path)).json()

const look = async () => {
  const [{ data: life }, ready] = await Promise.all([asked('v1/health'), asked('v1/health/ready')])
  if (ready.success) say(`Version ${life.version} runs here and is ready.`, false)
  else say(`Version ${life.version} runs here and is not ready: ${ready.error.message}`, true)
}
look().catch(() => say('The service does not answer just now. Please try again in a moment.', true))
