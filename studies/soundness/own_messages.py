"""Messages to services with replies, all written for this study: what public dialogues hardly ever ask."""

from __future__ import annotations

MESSAGES = """
clothes | Do you have the linen shirt in size M? | Yes, the linen shirt is in stock in size M.
clothes | I'd like the wool coat in XL. | I have put the wool coat in XL into your basket.
shoes | Are the hiking boots available in size 42? | The hiking boots are available in size 42 and ship today.
shoes | Please reserve the red sneakers in size 38 for me. | The red sneakers in size 38 are reserved for you.
food | A margherita in large, please. | One large margherita, that makes 12 euros.
food | I'd like a tomato soup in a small. | A small tomato soup is on its way.
sports | Do you have the bike helmet in size L? | We have the helmet in size L for 49 euros.
sports | I need the wetsuit in size XS. | The wetsuit in size XS costs 89 euros.
clothes | Order the green dress in size 40 for me. | Your green dress, size 40, has been ordered.
hotel | Is there a bathrobe in XXL? | A bathrobe in XXL will be brought to your room.
clothes | How much is the rain jacket in size S? | The rain jacket in size S is 75 euros.
shoes | Is the sandal still there in size 36? | Yes, we still have the sandal in size 36.
food | What does a latte in medium cost? | A medium latte is 3.80 euros.
sports | Can I get the ski boots in size 44 by Friday? | The ski boots in size 44 will be with you on Friday.
work | I want to order ten overalls in size L. | Ten overalls in size L are ordered.
food | Can I have the caesar salad in a large? | Sure, one large caesar salad.
clothes | Could you hold the black jeans in size 34 for me? | I am holding the black jeans in size 34 at the counter.
sports | Which colours does the jersey have in size M? | In size M the jersey comes in blue and white.
work | When will the safety vest be back in size XL? | The safety vest in size XL will be back on Monday.
pets | Do you sell the dog coat in small? | The dog coat in small is 19 euros.
bank | I want to transfer 500 euros to my sister. | A transfer of 500 euros to your sister needs your PIN.
bank | How long does it take to send £200 abroad? | Sending £200 abroad takes two working days.
bank | Can I withdraw 1,000 francs at any machine? | You can withdraw 1,000 francs at our own machines.
bank | What is the rate for a loan of 5,000 euros? | For a loan of 5,000 euros the rate is 4.9 percent.
bank | I'd like to deposit $300. | Please bring the $300 to the counter.
exchange | How many crowns do I get if I exchange 100 euros? | For 100 euros you get 1,150 crowns.
exchange | Please convert 250 dollars to yen. | 250 dollars are about 37,000 yen.
charity | I want to donate 50 euros every month. | Thank you! We will collect 50 euros on the first of every month.
phone | Please top up 20 euros. | Your card was topped up with 20 euros.
invest | What happens if I invest 2,000 euros in the green fund? | With 2,000 euros you buy about 40 shares of it.
bank | What is the fee for a transfer of 800 pounds? | A transfer of 800 pounds is free of charge.
bank | Can I borrow 3,000 euros without a guarantor? | Up to that we need none: 3,000 euros can be borrowed on your own.
phone | Could you top up $15 for me? | Done: $15 were added to your balance.
charity | How do I donate 100 dollars? | To donate 100 dollars, use the blue button.
exchange | Exchange 60 pounds, please. | For 60 pounds I can give you 70 euros.
parcel | Do you ship to Norway? | Yes, we ship to Norway within a week.
parcel | How much is delivery to Spain? | Delivery to Spain costs 9 euros.
parcel | Can I send a parcel to Canada? | A parcel to Canada takes ten days.
phone | What does roaming in Italy cost? | Roaming in Italy is included.
phone | Does my plan work in Japan? | In Japan you need the world option.
travel | I need insurance for Mexico. | The policy for Mexico is 34 euros.
travel | Do I need a visa for India? | For India you need an e-visa.
travel | Are there flights to Iceland in May? | We fly to Iceland every day in May.
bank | Is my card accepted in Brazil? | Your card is accepted in Brazil at most machines.
bank | What does a transfer to Poland cost? | A transfer to Poland is free.
parcel | How long does a letter from Germany take? | A letter from Germany takes three days.
travel | Which vaccinations do I need for Kenya? | For Kenya we recommend yellow fever and hepatitis A.
phone | Can I call from Turkey with my card? | Calls from Turkey are 20 cents a minute.
travel | What is the power plug in Australia? | In Australia you need a type I adapter.
parcel | Is customs clearance for China included? | Customs clearance for China is included.
train | When does the train to Vienna leave? | The train to Vienna leaves at 9:15.
train | How long is the journey to Munich? | The journey to Munich takes four hours.
bus | Is there a bus to Prague on Monday? | Yes, the bus to Prague leaves on Monday at 8.
flight | What does a flight to Madrid cost? | Flights to Madrid start at 120 euros.
flight | Can I take my dog on the plane to Dublin? | To Dublin, dogs travel in the cabin for 40 euros.
hotel | Do you have a hotel in Krakow? | Our hotel in Krakow has 80 rooms.
shop | Where is your shop in Hamburg? | Our shop in Hamburg is opposite the station.
shop | When does the branch in Geneva open? | The branch in Geneva opens at 10.
train | Is the express from Berlin late? | The express from Berlin is ten minutes late.
bus | Book me a seat to Rome. | A seat to Rome has been booked.
flight | Which terminal for flights from London? | Flights from London arrive at terminal 2.
post | Send it to Oslo, please. | It goes to Oslo tomorrow.
event | Are there tickets for Paris left? | For Paris there are about 30 tickets left.
train | Do I have to change on the way to Milan? | To Milan you change once, in the north.
event | I'd like to come to the workshop in Helsinki. | You are on the list for the workshop in Helsinki.
booking | Please cancel my booking. | Your booking has been cancelled.
bank | Could you block my card? | I have blocked your card.
bank | I want to close my account. | Your account is now closed. We are sorry to see you go.
shop | Please send my order again. | We have sent your order again today.
phone | Activate the roaming option for me, please. | Pardon, for me is not needed: the roaming option is now activated.
phone | Please activate the roaming option. | The roaming option is now activated.
phone | Can you renew my contract? | I have renewed your contract for 24 months.
gym | I'd like to cancel my membership. | Your membership has been cancelled as of June.
library | Extend my loan, please. | Your loan was extended by two weeks.
library | Can you reserve the book for me? | The book is reserved for you at the desk.
mail | Please delete my account. | Your account has been deleted.
mail | Unsubscribe me from the newsletter. | You are now unsubscribed.
mail | Forward this message to the billing team. | I have forwarded your message to the billing team.
clinic | Please move my appointment to Friday. | Your appointment has been moved to Friday.
clinic | I want to confirm my appointment. | Your appointment is confirmed.
bank | Please freeze my card. | We have frozen your card.
bank | Would you please transfer the money to my savings? | The money was transferred to your savings.
shop | Please add the lamp to my order. | The lamp has been added to your order.
shop | Remove the second item from my order. Thanks. | The second item was removed.
shop | Please remove the second item. | I have removed the second item from your order.
power | Please stop my direct debit. | Your direct debit is stopped from May on.
power | I would like to change my tariff. | Your tariff has been changed to Green.
hotel | Please upgrade my room. | We have upgraded your room to a suite.
taxi | Call a taxi for us. | We are on it.
taxi | Please book a taxi to the station. | A taxi to the station is booked.
shop | Which lamps are dimmable? | The Aurora, the Borealis and the Comet are dimmable.
shop | Which of the phones are waterproof? | Waterproof are the Nova, the Orbit and the Pulse.
hotel | Which rooms have a balcony? | We have three: the Blue, the Green and the Tower room.
hotel | Which rooms are smoke-free? | All rooms on floor two: 21, 22 and 23.
food | Which dishes are vegan? | These are vegan: the lentil soup, the falafel plate and the fruit salad.
food | What desserts are gluten-free? | The sorbet, the panna cotta and the meringue are gluten-free.
food | Which menus include a drink? | The lunch menu and the evening menu. That is all.
library | Which branches are open on Sunday? | Open on Sunday: Harbour, Castle and North.
library | Which branches are wheelchair accessible? | Harbour, Castle and Mill Lane are accessible.
gym | Which courses are free of charge? | The yoga, stretching and dance courses are free of charge.
gym | Which classes are suitable for beginners? | Our beginners like Pilates, aqua fit and walking.
bank | Which accounts have an overdraft? | The Classic, the Premium and the Student account have one.
bank | Which cards are accepted abroad? | The Gold, the Silver and the Travel card.
shop | List the laptops with a touchscreen. | With a touchscreen we have the Breeze, the Gale and the Storm.
travel | Show me the tours with a guide. | Guided are the castle tour, the river tour and the night walk.
travel | Which excursions are cancelled? | The island trip, the sunset sail and the whale watch are cancelled.
travel | What tours are fully booked? | Fully booked: the canyon hike and the wine tour.
museum | Which rooms are closed today? | Closed today are the Greek room, the Roman room and the cabinet.
museum | What exhibitions are included in the ticket? | The prints, the maps and the clocks.
school | Which lessons are online? | Maths, physics and music are online.
shop | Which bikes do you have? | We have three bikes: the City, the Trail and the Kid.
shop | What lamps do you sell? | We sell four lamps: Aurora, Borealis, Comet and Dawn.
hotel | Which rooms are free tonight? | Two rooms are free: the Blue room and the Green room.
food | Which soups are there today? | Three soups: tomato, lentil and pumpkin. That is all.
food | List your cheeses. | We have five: Brie, Gouda, Feta, Cheddar and Manchego.
library | Which magazines do you carry? | The complete list: Cyclist, Gardener and Chess Weekly.
gym | Which courses do you offer? | We offer four courses: yoga, boxing, dance and rowing.
bank | What cards do you issue? | We issue three cards: Gold, Silver and Travel.
travel | Which islands do you sail to? | We sail to three islands: Ambra, Corva and Lissa.
museum | What guided tours are there? | There are two: the highlights tour and the family tour.
school | Which languages do you teach? | We teach four languages: French, Spanish, Polish and Greek.
clinic | Which departments do you have? | These are all: surgery, cardiology and radiology.
phone | Which plans do you offer? | We offer three plans: Basic, Plus and Max.
pets | Which dog foods do you sell? | That is our whole range: Bello, Rex and Luna.
garden | What roses are in stock? | Three are in stock: Alba, Rugosa and Gloria.
cinema | Which films are on tonight? | Two films: The Harbour and Snow Line.
car | Which cars can I rent? | You can rent three cars: the Mini, the Kombi and the Van.
shop | Do you have it in red, blue or green? | In blue.
shop | Is the bag made for men or women? | For both.
clothes | Does the scarf come in wool, silk or cotton? | In wool and silk.
library | Are you open on Saturday or Sunday? | On Saturday.
travel | Can I pay by card, cash or voucher? | By card.
travel | Do you fly to Rome, Milan or Naples? | To Rome.
food | Is the pizza available with ham, salami or tuna? | With ham.
clinic | Can I come in on Monday, Tuesday or Thursday? | On Tuesday.
gym | Is the course held in English or French? | In English.
bank | Can I reach you by phone, mail or chat? | By phone.
hotel | Do you have rooms for smokers or families? | For families.
post | Is it cheaper by air or sea? | By sea.
car | Do you rent cars with diesel or petrol? | With petrol.
school | Is the exam in June or July? | In June.
museum | Can I get the audio guide in Polish, Czech or Greek? | In Polish.
garden | Do you deliver soil by truck, van or bike? | By van.
hotel | I need a room with a balcony and with a bathtub. | Room 12 has both.
hotel | I'd like a hotel with a pool and a gym. | The Astoria.
hotel | Find me a flat with parking and a garden. | There are two.
food | Any restaurant with a terrace and a playground? | The Linden.
food | Do you have a table near the window and for two? | Yes.
travel | Is there a tour with a guide and with lunch? | The river tour.
shop | Do you sell a phone with a stylus and a radio? | The Note.
car | I want a car with a roof rack and with winter tyres. | The Kombi.
gym | Is there a gym with a sauna and a pool? | In Mill Lane.
library | Any desk near a window and near a socket? | Desk 7.
clinic | Is there a doctor with evening hours and with parking? | Dr. Lind.
school | I look for a course without homework and without exams. | Our talk course.
garden | A tree with fruit and without thorns, please. | The plum.
phone | A plan with roaming and without a contract? | Flex.
hotel | We need a room with a cot and a kitchen. | The family room.
shop | A tent with a porch and two doors, please. | The Ridge.
food | Is there a dish with rice and without fish? | The curry.
travel | I want a cabin with a window and near the deck. | Cabin 14.
pets | A leash with a handle and with a light, please. | The Glow.
office | We need a printer with a scanner and a fax. | The P20.
museum | Is there a tour with a quiz and a snack? | The family tour.
office | Can I get the chair in grey, beige or brown? | In grey.
pets | Is the food for cats or dogs? | For cats.
cinema | Is the film in English or Spanish? | In English.
sports | Do you rent skis by day or week? | By day.
parcel | What does a parcel to Sweden cost? | A parcel to Sweden costs 17 euros.
bank | Can I pay with my card in Egypt? | You can pay with it in Egypt wherever you see our sign.
travel | Is there a tour to Greece in June? | The tour to Greece starts on 4 June.
school | Are certificates from France recognised? | Certificates from France are recognised.
phone | How do I call from Brazil? | From Brazil, dial 0055 first.
travel | Which currency do I need for Denmark? | For Denmark you need crowns.
bank | Please deposit 90 euros in my savings account. | 90 euros were put into your savings account.
invest | Can I invest 700 dollars in gold? | For 700 dollars you get about 10 grams.
bank | What do I pay for a loan of 10,000 euros? | A loan of 10,000 euros costs 190 euros a month.
food | A table for six people, please. | A table for six is waiting for you.
food | We need two boxes of apples. | Two boxes of apples are on their way.
cinema | I want 3 tickets for the late show. | 3 tickets for the late show are 27 euros.
museum | Can I book five tickets for the castle? | Five tickets for the castle are booked.
travel | Is there a cabin for 4 people? | Yes, cabin 9 is for 4 people.
hotel | Do you have a room for three adults? | The Garden room sleeps three adults.
office | Order 8 chairs in grey. | 8 grey chairs have been ordered.
library | Can I have two seats for the reading? | Two seats for the reading are kept for you.
car | I need a car for seven people. | The Kombi is for seven people.
taxi | A taxi for 5 people to the airport. | A taxi for 5 people is coming.
sports | We want 4 tickets for the match. | You get 4 tickets in row 9.
school | Please send ten copies of the form. | Ten copies of the form were sent.
gym | I'd like to reserve 2 rooms for squash. | You have 2 rooms from 18:00.
garden | I need 6 bags of soil. | 6 bags of soil weigh 120 kilos.
shop | Get me three lamps, please. | Three lamps are 135 euros.
pets | Send me 9 boxes of the dog food. | We sell 9 boxes for 80 euros.
clinic | Can you book an examination for two people? | The examination for two people is booked.
boat | What does the boat cost for eight people? | For eight people the boat is 90 euros.
camping | Do you have a tent for 2 adults? | The Nest is a tent for 2 adults.
shop | I bought a lamp last week. How long is the warranty? | The warranty on lamps is two years.
shop | My parcel was damaged. What do I have to do? | Please send us a photo of the parcel.
shop | I live on an island. How much is the delivery? | Deliveries to islands are 15 euros.
phone | My phone fell into the water. Is that covered by the warranty? | Water is not covered.
phone | I am in Japan at the moment. What does a call home cost? | From Japan it is 2 euros a minute.
train | I have a ticket for Friday. Where do I get my money back? | At the counter, until Thursday.
train | We travel with two small children. Is there a family coach? | Yes, coach 5.
hotel | I have booked a room for next week. What is the cancellation fee? | It is free until two days before.
hotel | We arrive after midnight. Where do we get the key? | The key is in the box at the door.
library | I lost the book that I had borrowed. What does that cost? | You pay the price of the book.
library | I am a student at the university. How much is the library card? | For students it is free.
clinic | I am allergic to penicillin. Is the new medicine safe for me? | It has no penicillin in it.
clinic | My son has had a fever since yesterday. When can we see a doctor? | Today at 16:00.
gym | I broke my arm in March. Can I pause my contract? Is there a fee? | There is no fee.
gym | My membership ends in June. What is the fee for another year? | It is 300 euros.
food | I don't eat meat. What is the dish of the day? | For you it is the lentil curry.
museum | We are a group of twenty. What does the tour cost? | For groups it is 90 euros.
car | I am 19 years old. What is the deposit for a small car? | For drivers under 21 it is 500 euros.
school | My daughter is in the third year. When does her class begin? | The third year begins at 8.
power | We moved to a new flat on Monday. What is the number of the meter? | It is on the meter itself.
insurance | I had an accident with my bike. Which form do I need? | You need form B.
post | I sent a letter to Spain on Monday. When will it be there? | On Thursday or Friday.
shop | My lamp is broken. Can you repair it? | Lamps can be repaired in the shop.
shop | The parcel has arrived. Where can I return it? | At any post office.
phone | My phone is locked. How do I unlock it? | Hold both keys for ten seconds.
car | My car has a flat tyre. | We will send help.
car | The car stopped on the motorway. Can you tow it? | We can tow it.
hotel | The shower is cold. Can you repair it? | Somebody is on the way.
hotel | My suitcase has not arrived. Can you find it? | We will call the airport.
library | The book is damaged. Do I have to replace it? | No.
clinic | My appointment is on Friday. Can I move it? | Yes, you can.
gym | My card has expired. How do I renew it? | At the desk.
train | The train was late. Is it still waiting? | No.
bank | My card is blocked. How do I unblock it? | In the app.
bank | The transfer has stopped. When will it arrive? | Tomorrow.
power | My meter is broken. Who repairs it? | We do.
post | My letter got wet. Can you dry it? | No.
school | My form is late. Do you still accept it? | Until Friday.
museum | The audio guide is silent. Where can I exchange it? | At the desk.
"""
"""One line each: domain, what the user writes, and a plausible reply."""

DIALOGUES = """
shop | Is the lamp in stock? | Yes. Shall I put it into your basket? | Yes, please. | The lamp is in your basket.
shop | How long is the warranty? | Two years. Would you like to extend it? | No, thanks. | All right.
hotel | Do you have a room tonight? | Yes, for 90 euros. Shall I book it? | Sure. | Your room is booked.
hotel | When is breakfast? | From 7 to 10. Shall I reserve a table? | Yes. | A table is reserved.
bank | I lost my card. | I am sorry. Shall I block it now? | Yes please | Your card is blocked.
bank | What is my limit? | 500 euros a day. Do you want to raise it? | No. | It stays as it is.
clinic | Is there an appointment today? | At 16:30. Would you like to take it? | Yes, please! | See you at 16:30.
clinic | Do I need a referral? | Not for a check-up. Would you like one anyway? | No thank you. | Fine.
library | Is the atlas on loan? | Yes, until Friday. Shall I reserve it for you? | ok | It is reserved for you.
library | When do you close? | At 18:00. Shall I remind you of your loans? | no thanks | As you wish.
train | When is the next train to the coast? | At 9:15. Shall I buy a ticket? | Yeah | Your ticket is bought.
train | Is there a seat by the window? | Yes, 24A. Do you want it? | Yes, please. | 24A is yours.
phone | My plan is used up. | I can add 1 GB for 3 euros. Shall I? | sure! | 1 GB was added.
phone | Do I pay for roaming? | Not in Europe. Should I switch it on? | No, thanks! | It stays off.
food | Is the soup vegan? | It is. Would you like one? | Yes. | One soup is on its way.
food | Do you have bread? | Fresh today. Shall I add a loaf? | Yes please. | Added.
gym | Is the yoga course full? | There is one place left. Shall I book it? | Okay | You are booked.
gym | Can I pause my membership? | For up to three months. Do you want to? | No. | It goes on as usual.
museum | Are there tickets for tomorrow? | Yes, for 10:00. Shall I reserve two? | yes | Two are reserved.
travel | Is there a seat on the night bus? | The last one. Do you want it? | Yes, please | It is yours.
"""
"""One line each: domain, then what user and bot say in turn."""
