"""The words that the chatbot of a car hire knows, and what it takes them to ask."""

LEXICON = """
    cost: cost how_much expensive price pay
    weekend: weekend
    week: week weekly weak
    deposit: deposit
    back: back refund
    excess: excess
    seats: seats how_many_people passengers
    luggage: luggage suitcases suitcase
    age: how_old minimum_age
    fuel: fuel
    automatic: automatic gearbox
    abroad: abroad border
    tow: tow_bar towbar trailer
    equipment: equipment
    lost: lost lose
    key: key keys
    online: online internet
    ahead: how_many_days days_ahead days_before
    open: open opening_hours opening
    where: where address located
    shuttle: shuttle bus
    after_hours: closing_time after_hours after_closing
    facilities: facilities
    parts: covered include includes included cover covers
    theft: theft stolen
    cancel: cancel cancellation
    change: change
    book: book booking reserve
    second: second_driver additional_driver
    one_way: one-way another_city another_branch
    extend: extend extension longer
    debit: debit_card
    deliver: deliver delivery
    student: student students
    young: young
    flight: flight plane
    foreign: foreign
    licence: licence license
    held: held
    smoking: smoking smoke
    cash: cash
    ferry: ferry
    learner: learner
    race: race_track racetrack
    pets: dogs dog pets canine
    mileage: kilometres kilometers mileage
    refuel: refuel full_tank
    fine: speeding fine speeding_fine
    dirty: dirty
    late: late
    long_term: long-term better_price
    invoice: invoice
    left: left_my jacket forgot
    tyres: winter_tyres winter_tires
    offer: special_offer
    broke: broke broke_down breakdown
    toll: toll toll_sticker
    bring: papers documents bring
    methods: payment_methods payment
    accident: accident crash
    hotline: hotline
    head_office: head_office
    complain: complain complaint
    person: person human agent
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    car_has: CAR PART
    extra_lost: EXTRA lost
    extra_online: EXTRA online
    extra_notice: EXTRA ahead
    extra_price: EXTRA cost
    has: BRANCH ITEM
    late_return: BRANCH after_hours
    branch_shuttle: shuttle
    facilities: facilities
    branch_where: BRANCH where
    branch_sunday: BRANCH DAY
    branch_hours: BRANCH open
    theft: theft
    cover_excess: COVER excess
    cover_parts: COVER parts
    cover_price: COVER cost
    lost_key: key lost
    deposit_back: deposit back
    deposit: deposit
    excess: excess
    toll: toll
    fine: fine
    long_term: long_term
    pay: methods
    cash: cash
    debit_card: debit
    learner: learner
    young: young
    discount: student
    second_driver: second
    foreign_licence: foreign licence
    licence_held: licence held
    one_way: one_way
    extend: extend
    delivery: deliver
    flight: flight
    smoking: smoking
    ferry: ferry
    race_track: race
    pets: pets
    mileage: mileage
    refuel: refuel
    dirty: dirty
    invoice: invoice
    lost_property: left
    winter_tyres: tyres
    accident: accident
    breakdown: broke
    late: late
    cancel: cancel
    change: change
    bring: bring
    offer: offer
    min_age: age
    price_weekend: weekend
    price_week: week
    seats: seats -EXTRA -PART
    luggage: luggage
    automatic: automatic
    abroad: abroad
    towbar: tow
    fuel: fuel
    equipment: equipment
    extra_online: online
    extra_notice: ahead
    extra_lost: lost
    late_return: after_hours
    price: CAR cost
    branch_sunday: DAY -book
    complaint: complain
    person: person
    hours: hotline
    address: head_office
    branch_where: where
    branch_hours: open
    booking: book
    who: who
    cover_parts: parts
    price: cost
    car: CAR
    extra: EXTRA
    branch: BRANCH
    cover: COVER
    item: ITEM
    part: PART
"""
