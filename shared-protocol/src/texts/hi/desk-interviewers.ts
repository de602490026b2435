import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-interviewers.ts'

export const texts: Translated<typeof en> = {
  interviewersTitle: 'साक्षात्कारकर्ता',
  'interviewersRecorded.both': 'साक्षात्कारकर्ताओं की आवाज़ें कंप्यूटर की ध्वनि के साथ रिकॉर्ड होती हैं, और उनके शब्द प्रतिलेख में।',
  'interviewersRecorded.voice': 'साक्षात्कारकर्ताओं की आवाज़ें कंप्यूटर की ध्वनि के साथ रिकॉर्ड होती हैं।',
  'interviewersRecorded.words': 'साक्षात्कारकर्ताओं के शब्द प्रतिलेख में रिकॉर्ड होते हैं।',
  'interviewersRecorded.neither': 'केवल उम्मीदवार रिकॉर्ड होता है, साक्षात्कारकर्ता नहीं।',
  interviewersNone: 'उम्मीदवार से बात करने वाले किसी को सेवा ने अभी नहीं बताया है।',
  'interviewersTold.mail': '{at} को ई-मेल से बताया गया',
  'interviewersTold.calendar': '{at} को कैलेंडर से बताया गया',
  'interviewersTold.page': '{at} को पेज पढ़ा',
  'interviewersDelivery.queued': 'संदेश भेजे जाने की प्रतीक्षा में है',
  'interviewersDelivery.refused': 'मेल सर्वर ने संदेश नहीं लिया',
  interviewersAdd: 'किसी साक्षात्कारकर्ता को बताएँ',
  interviewersAddress: 'साक्षात्कारकर्ता का ई-मेल पता',
  interviewersName: 'साक्षात्कारकर्ता का नाम',
  interviewersLanguage: 'संदेश की भाषा',
  interviewersWrong: 'यह कोई ई-मेल पता नहीं है।',
  interviewersSend: 'संदेश भेजें',
  interviewersCorrectOf: '{who} का विवरण सुधारें',
  interviewersSave: 'सुधार सहेजें',
  interviewersMoves: 'दूसरे पते पर व्यक्ति को नए लिंक वाला नया संदेश मिलता है; पहले का लिंक समाप्त हो जाता है।',
  interviewersNotCorrected:
    'साक्षात्कार समाप्त हो गया है, किसी ने इस साक्षात्कारकर्ता को हटा दिया, या यह पता किसी और साक्षात्कारकर्ता का है।',
  interviewersRemove: 'हटाएँ',
  interviewersRemoveOf: '{who} को हटाएँ',
  interviewersRemoveTitle: '{who} को इस साक्षात्कार से हटाएँ?',
  interviewersRemoveText:
    'साक्षात्कार से पहले, जिसे लिखा गया था उसे एक संदेश बताता है और यह समय उसके कैलेंडर से हटाता है। उसका पेज बताता है कि उसे हटाया गया।',
  interviewersRemoveNo: 'जैसा है वैसा रहने दें',
  interviewersConflict: 'साक्षात्कार समाप्त हो चुका है, या जितने साक्षात्कारकर्ता हो सकते हैं उतनों को बताया जा चुका है।',
}
