import { make } from './elements.js'
import { keyField, labelled, pretty, requestLog, send } from './requests.js'

/** The console's place, on its page alone. */
const place = document.querySelector('.console')
const scenarios = place?.dataset.scenarios.split(' ') ?? []

const choice = make(
  'select',
  { 'aria-label': 'Scenario' },
  ...scenarios.map((name) => make('option', { value: name }, name)),
)
const said = make('p', { class: 'status', 'aria-live': 'polite' })
const requests = make('ol', { class: 'log', 'aria-label': 'Requests' })
const events = make('ol', { class: 'log', 'aria-label': 'Events' })
let watched = ''
let until = 0

const line = (summary, value) => make('li', {}, make('details', {}, make('summary', {}, ...summary), pretty(value)))
const time = (at) => make('time', { datetime: at }, `${at.slice(11, 23)} `)
const showRequests = () =>
  requests.replaceChildren(
    ...requestLog().map((one) => line([time(one.at), `${one.method} ${one.path} · ${one.status} · ${one.ms} ms`], one)),
  )
const showEvents = async () => {
  const query = watched ? `?sessionId=${watched}&limit=100` : '?limit=20'
  const { status, answer } = await send('GET', `/v1/api/events${query}`)
  if (status !== 200) throw new Error(answer.error.message)
  events.replaceChildren(
    ...answer.data.items.map((event) => line([time(event.createdAt), make('b', {}, event.type)], event)),
  )
  return answer.data.items.some(({ type }) => type === 'session.ended')
}
const say = (text, isBad = false) => {
  said.textContent = text
  said.classList.toggle('bad', isBad)
}
const follow = async () => {
  const isOver = await showEvents()
  showRequests()
  if (isOver) return say(`The interview ${watched} is over. Its report: GET /v1/api/sessions/${watched}/report`)
  if (Date.now() < until) setTimeout(() => void follow().catch(fail), 1000)
}
const fail = (problem) => {
  say(problem.message, true)
  showRequests()
}
const need = ({ status, answer }) => {
  if (status >= 400) throw new Error(`${answer.error.code}: ${answer.error.message}`)
  return answer.data
}
const play = async () => {
  const scenario = choice.value
  const config = scenario === 'lane_declined' ? { optionalLanes: ['camera', 'microphone'] } : {}
  const session = need(await send('POST', '/v1/api/sessions', JSON.stringify({ externalId: 'CONSOLE-1', config })))
  watched = session.id
  until = Date.now() + 60_000
  need(
    await send('POST', `/v1/api/sandbox/sessions/${session.id}/simulate`, JSON.stringify({ scenario, timeScale: 600 })),
  )
  say(`Playing ${scenario} in ${session.id} …`)
  await follow()
}

if (place) {
  place.append(
    labelled('Sandbox key (stays in this tab)', keyField()),
    make(
      'div',
      { class: 'row' },
      choice,
      make('button', { type: 'button', click: () => play().catch(fail) }, 'Play an interview'),
      make(
        'button',
        {
          type: 'button',
          class: 'quiet',
          click: () => {
            watched = ''
            showEvents().then(showRequests, fail)
          },
        },
        'Latest events',
      ),
    ),
    said,
    make('h2', { id: 'event-log' }, 'Event log'),
    events,
    make('h2', { id: 'request-log' }, 'Requests of this tab'),
    make(
      'p',
      {},
      'The last 50 that were sent from these pages in this tab only, also after a reload. The service keeps no list of the requests of a key; what they changed stands in the audit log.',
    ),
    requests,
  )
  place.hidden = false
  showRequests()
}
