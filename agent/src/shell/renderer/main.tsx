import { FailureBoundary } from '@integrity/shared-ui/web/failure-boundary'
import { createRoot } from 'react-dom/client'
import { AgentProvider } from './components/agent.tsx'
import { LanguageProvider } from './components/language.tsx'
import { MessagePage } from './components/shell.tsx'
import { WindowPage } from './pages/window-page.tsx'
import { AgentStore } from './state/agent-store.ts'

const store = window.agent && new AgentStore(window.agent)
const root = document.getElementById('app')
if (root)
  createRoot(root).render(
    <LanguageProvider store={store}>
      <FailureBoundary>
        {store ? (
          <AgentProvider store={store}>
            <WindowPage />
          </AgentProvider>
        ) : (
          <MessagePage title="noAgentTitle" text="noAgentText" />
        )}
      </FailureBoundary>
    </LanguageProvider>,
  )
