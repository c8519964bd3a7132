"""Common given names of many countries, to tell "Anna Hill" from "Green Hill". Written for the project."""

from __future__ import annotations

_NAMES = """
Aage Aaron Aart Abbas Abd Abdel Abdelaziz Abdelkader Abdelkrim Abdi Abdirahman Abdou Abdul Abdulaziz Abdulhamit
Abdulkadir Abdullah Abdulrahman Abdurrahim Abdurrahman Abebe Abed Abena Abidin Abigail Abiodun Abraham Abu Abílio
Achille Achim Adaeze Adam Ade Adebayo Adel Adelheid Adelino Adem Adil Adina Adnan Adolf Adolfo Adriaan Adrian Adrianus
Adwoa Afanasy Afonso Afërdita Agata Agim Agnes Agneta Agnieszka Agostino Agustín Ahlam Ahmad Ahmed Ahmet Aicha Aigars
Aiko Aino Ainārs Aisha Aitor Aivars Ajay Akash Akhmed Akiko Akira Akram Aksel Akua Akın Ala Alaa Alain Alan Albert
Alberta Albertino Alberto Albrecht Aldo Alec Alejandra Alejandro Alekos Aleksandar Aleksander Aleksandr Aleksandra
Aleksei Aleksey Alena Alessandra Alessandro Alessia Alex Alexander Alexandr Alexandra Alexandre Alexandros Alexandru
Alexei Alexey Alf Alfio Alfonso Alfred Alfredo Algirdas Ali Alice Alicia Alicja Alina Alison Alla Allan Allen
Alma Alois Alojzy Alper Alphonse Altan Alyona Alžběta Ama Amadou Amal Amanda Amara Amber Amedeo Amelia Amin Amina
Aminata Amir Amira Amit Amitabh Ammar Amy Amélie Américo Ana Anand Anas Anastasia Anastasios Anatoli Anatoliy Anatoly
Anaïs Anca Anders Andrea Andreas Andrei Andrej Andres Andrew Andrey Andrija Andris Andriy Androulla Andrzej André
Andrée Andrés Andy Aneta Anette Angela Angelika Angelina Angelo Angus Angèle Anh Anikó Anil Anita Anja Anjali Anke Ann
Anna Anna-Maria Anne Anne-Marie Annelies Anneliese Annemarie Annette Annick Annie Annika Antanas Ante Anthony Antoine
Anton Antonella Antoni Antonia Antonina Antonino Antonio Antonis Antony Ants Antti Anwar Anzor Aníbal Aoife Aparna
Apostolos April Aram Arash Arben Archie Ardeshir Arend Arie Arif Arild Aristotelis Arjen Arjun Arkadiusz Arkadiy
Arkady Arman Armand Armando Armen Armin Arnaldo Arnaud Arne Arno Arnold Aron Arta Artak Artashes Artem Arthur
Artur Arturo Artyom Arun Arvid Arvind Arvo Arvydas Arvīds Asad Asbjørn Asha Asher Ashley Ashok Ashot Asif Aslambek
Aslan Aslanbek Aslı Asma Astrid Asunción Athanasios Atilla Attila Aud Audrey Audronė August Auguste Augusto Aurel
Aurelia Aurélie Avi Avni Avraham Avtandil Axel Ayda Aydın Ayfer Ayhan Aykut Ayla Aylin Ayman Aynur Ayoub Ayse Aytekin
Ayşe Ayşegül Azam Aziz Babatunde Badr Bahattin Bahri Balázs Bao Baptiste Barack Barbara Barry Bart Bartolomeo Bartosz
Bartłomiej Baruch Barış Bas Bashir Bashkim Basim Bastien Battista Bayram Başak Beata Beate Beatrice Beatriz Becky
Bedia Bedri Begoña Behnam Behrouz Behçet Bekir Bela Belén Ben Bence Benedetta Bengt Beniamino Benito Benjamin Benoît
Berit Berivan Berkant Bernadette Bernard Bernd Bernhard Bernice Bert Bertha Bertrand Besik Besnik Beth Bethany
Bettina Betty Beverly Beyhan Beyoncé Biagio Bianca Bilal Biljana Bill Billy Binh Birger Birgit Birgitta Bjarne Björn
Bjørn Blagoje Blanca Blaž Bo Bob Bobby Bodo Bogdan Bogdana Bogumił Bogusław Bohdan Bohumil Bohuslav Bojan Bola
Bolesław Bonnie Boris Borislav Boubacar Boyan Boško Bożena Božena Božidar Brad Bradley Brahim Bram Brandon
Branimir Branislav Brankica Branko Brenda Brendan Brian Bridget Brigitte Brita Britt Bronisław Bror Bruce Brunhilde
Bruno Bryan Bujar Burak Burcu Burhan Burkhard Bushra Bärbel Béla Børge Bülent Błażej Břetislav Caetano Cafer Cahit
Caitlin Calogero Calvin Camelia Cameron Camille Camilo Carin Carl Carla Carlo Carlos Carmela Carmelo Carmen Carol
Carolina Caroline Carolyn Carrie Carsten Catalina Catarina Caterina Catherine Cathy Cavit Cecil Cecilia Cees Celal
Celalettin Cem Cemal Cemil Cemile Cengiz Cesare Cevat Cevdet Cezar Cezary Chaim Chantal Charalambos Charles Charlie
Charlotte Cheryl Chiara Chidi Chika Chinedu Chioma Chloe Chris Christa Christakis Christelle Christer Christian
Christiane Christina Christine Christoph Christophe Christopher Christos Ciaran Cihan Cihat Ciro Claire Clara Clare
Clarence Claude Claudia Claudine Claudio Clemens Clifford Clint Clive Clément Codruț Coen Colette Colin Colleen
Concepción Concetta Connor Conor Constantin Consuelo Corinne Cornel Cornelia Cornelis Corneliu Corrado Cosimo Cosmin
Costas Costel Craig Cristian Cristiano Cristina Cristóbal Csaba Curtis Cynthia Cyril Czesław Cécile Cédric Célia César
Călin Cătălin Daan Dag Dagmar Dainis Daisuke Daisy Dalal Dale Dalia Dalibor Damian Damien Damir Dan Daniel Danielle
Danijel Danny Danuta Daria Dario Darius Dariush Dariusz Darko Darren Darya Daría Dave David Davide Davit Davor Dawid
Dawn Dean Debora Deborah Debra Declan Deepak Deepika Dejan Delphine Denis Denise Deniz Dennis Derek Derya Desanka
Desmond Detlef Devrim Dezső Diana Diane Diarmuid Dick Didier Diederik Diego Dieter Dietmar Dietrich Dijana Dilek
Dimitar Dimitra Dimitrios Dimitris Dinesh Diogo Dirk Divya Djibril Dmitri Dmitriy Dmitry Dobrica Doina Dolores
Domenico Domingo Dominic Dominika Dominique Don Donal Donald Donatella Donato Donna Doreen Dorin Doris Dorota Dorothea
Dorothy Doug Douglas Dov Doğan Dragan Dragana Dragica Drago Dragomir Dragoslav Dragoș Dražen Driss Dritan Duarte
Dubravka Duc Dumitru Duncan Dung Duong Dursun Dušan Duško Dylan Dzhokhar Dzintars Dániel Dănuț Džemal Eamon Eamonn
Earl Ebba Ebele Eberhard Ebru Ece Eckhard Eddie Edeltraud Edgar Edgars Edi Edin Edip Edit Edith Edmond Edmund Edna
Edoardo Edson Eduard Eduardo Edvard Edward Edwin Edyta Eero Eeva Efraim Efua Egil Eglė Egon Eileen Einar Eino Eirik
Ekaterina Ekrem Elaine Elchin Eldar Eleanor Eleftherios Elena Eleni Elfriede Eli Elias Eliezer Elif Elin Elio Elisa
Elisabeth Elise Eliza Elizabeth Eliška Elke Ella Ellen Ellie Ellinor Elmar Elon Els Elsa Else Elshan Elsie Elvis
Elżbieta Emanuele Emeka Emel Emil Emile Emilio Emily Emin Emina Emine Emir Emma Emmanouil Emmanuel Emmanuelle Emrah
Emre Encarnación Ender Endre Enes Engin Enis Enrico Enrique Enver Enzo Ephraim Ercan Erdal Erdem Erdinç Erdoğan Ergin
Erhan Eric Erica Erich Erik Erika Erkan Erling Ernest Ernesto Ernst Erol Ersin Ertuğrul Erwin Erzsébet Esa Esma Espen
Esperanza Esra Esteban Esther Etelka Ethan Ethel Etienne Ettore Eugen Eugene Eugenia Eugenio Eusebio Eva Evan
Evangelos Eve Evelyn Evgeni Evgeniy Evgeny Evren Ewa Ewald Ewelina Eyüp Ezio Ezra Fabien Fabio Fabián Fabrice Fabrizio
Fadi Fadime Fahad Fahri Faisal Faiz Fang Fares Farhad Farhan Farid Farida Farideh Farooq Farouk Faruk Farzad Fatih
Fatiha Fatima Fatma Fatmir Fatou Fatoumata Faycal Federica Federico Fedor Fehmi Feliks Felipe Felix Femi Femke Feng
Ferdinand Ferenc Fereydoun Fergus Ferhat Ferit Fernand Fernanda Fernando Fethi Fethullah Feyzi Fidel Fikret Fikri
Filip Filipa Filipe Filippo Filiz Filomena Finn Fiona Firas Flavio Fleur Florea Florence Florian Florin Floris Flávio
Folake Fotis Fouad Franca Frances Francesca Francesco Francis Francisca Francisco Franciszek Franck Franco Frank Frans
Franz Franziska François Françoise Fred Freddie Frederick Frida Frieda Friedhelm Friedrich Frits Fritz Frode Frédéric
Fulvio Fumiko Funda Funmi Fyodor Fátima Gabriel Gabriela Gabriele Gabriella Gabrielle Gaetano Galina Gamze Ganesh
Gareth Garnik Garry Gary Gaston Gaurav Gavin Gavril Gazi Gaël Geert Geeta Geir Gela Gemma Geneviève Gennadiy Gennady
Gennaro Genowefa Geoff Geoffrey Georg George Georges Georgi Georgina Georgios Gerald Geraldine Gerard Gerardo Gerd
Gerda Gerhard Germaine German Germán Gerrit Gerry Gertrud Gevorg Ghada Ghasem Ghassan Gheorghe Ghislaine Gia Giacomo
Giampiero Gianfranco Gianluca Gianni Giannis Gideon Giga Gijs Gilbert Gilberto Gilles Gillian Ginette Gino Gintaras
Giorgi Giorgia Giorgio Giorgos Giovanna Giovanni Gisela Gisle Gita Giulia Giuliano Giulio Giuseppe Giuseppina Gjergj
Gladys Gleb Glen Glenn Gloria Godelieve Godfrey Gonzalo Gopal Goran Gordana Gordon Gottfried Govind Grace Graeme
Graham Graziella Graça Grażyna Greet Greg Gregor Gregorio Gregory Grete Grigor Grigore Grigori Grigorios Grigoriy
Grigory Gro Grzegorz Grégoire Guadalupe Guang Gudmund Gudrun Guglielmo Guido Guilherme Guillaume Guillermo Gunilla
Gunn Gunnar Gunther Guntis Gunārs Guri Gurpreet Gustav Gustave Gustavo Guy Guðmundur Gwen Gyula György Gábor Gérard
Géza Gökhan Gönül Göran Gülay Gülcan Gülistan Gülizar Gülsen Gülten Gülşen Günter Günther Gürkan Güven Habib Hacı Hadi
Hafez Hai Haitham Hakan Hakim Hakkı Hala Halil Halim Halime Halina Halis Halit Halldór Haluk Halvard Hamad Hamdi
Hamdullah Hamed Hamid Hamidreza Hamit Hamza Hana Hanan Handan Hanh Hani Hanna Hannah Hanne Hannelore Hannu Hans Hanım
Hao Harald Haris Harish Harjit Harold Haroun Harriet Harry Hartmut Haruka Haruki Harvey Hasan Hasip Hassan Hatice
Hatun Haydar Hayk Hayrettin Hayri Hazel Heather Hediye Hedwig Hege Heide Heidi Heike Heikki Heiko Heiner Heinrich
Heinz Helen Helena Helga Helge Helmut Helmuth Helvi Hendrik Hendrika Henk Henning Henri Henrik Henrique Henry Henryk
Henryka Herbert Hermann Hernán Herta Hervé Heydar Hicham Hideo Hieu Hikmet Hilary Hilde Hildegard Hind Hiroko Hiroshi
Hjalmar Hoa Holger Holly Hong Honoré Horst Hossein Houda Hovhannes Howard Hristo Hrvoje Hubert Hubertus Huda Hugh Hugo
Hui Hung Huong Hussain Hussein Huub Håkan Håkon Héctor Hélène Hülya Hüseyin Hüsnü Iain Ian Ibrahim Ibrahima Ibtisam
Ichiro Ida Idriss Ifeoma Iga Ignacio Igor Ihsan Ikechukwu Ikenna Iker Ilan Ilaria Ildikó Ileana Ilgar Ilhami Ilhan
Ilija Ilir Ilkka Ilona Ilse Ilya Ilze Iman Imants Imogen Imran Imre Indira Indra Indrek Ineke Inese Inge Ingeborg
Ingemar Inger Ingo Ingrid Ingvar Inmaculada Inna Innokenty Inés Inês Ioan Ioana Ioanna Ioannis Ion Ionel Ionuț Iqbal
Irakli Irena Irene Ireneusz Irfan Irina Iris Irmgard Isa Isaac Isabel Isabella Isabelle Isidro Isla Ismael Ismail
Ismet Issa István Itzhak Iulia Iulian Ivan Ivana Ivar Ivars Ivaylo Ivica Ivo Ivy Iván Iwona Iza Izabela Iñaki Jaakko
Jaan Jaap Jaber Jabir Jabulani Jacek Jack Jackie Jacob Jacoba Jacobus Jacqueline Jacques Jadranka Jadwiga Jae Jafar
Jagdish Jaime Jake Jakob Jakub Jalal Jamal James Jamie Jamil Jamila Jan Jana Jane Janet Janice Janina Jannie Janusz
Jari Jarl Jaromír Jaroslav Jaroslava Jarosław Jasmine Jasna Jason Jasper Jaswinder Jaume Javad Javier Jay Jean Jeff
Jeffrey Jelena Jemima Jennifer Jenny Jens Jeremy Jeroen Jerome Jerry Jerzy Jesper Jesse Jessica Jesús Ji Jia Jian Jie
Jiho Jill Jim Jimmy Jin Jindřich Jing Jiro Jitka Jiří Joachim Joan Joanna Joanne Joaquim Joaquín Jochen Jodie Joe
Joel Johan Johann Johanna Johannes John Johnny Jolanda Jolanta Jon Jonas Jonathan Joon Joop Joost Jordi Jorge Joris
Jorma Jorunn Josef Josefa Josefina Josep Joseph Josephine Josette Josh Joshua Josiane Josip Josué José Jouni Jovan
Jovanka Jovo Joy Joyce Jozef João Joël Juan Juana Judit Judith Judy Juha Juhani Jukka Jules Julia Julian Julie Julien
Juliet Juliette Julio Jun June Juozas Juraj Jure Jurgis Juris Justin Justyna Jutta Jyoti Ján Jérôme Jóhann Jón Józef
Jörg Jörgen Jørgen Jürgen Jüri Jānis Kaare Kaarina Kacper Kadir Kadri Kadriye Kagiso Kai Kamal Kamala Kamil Kamile
Kamuran Kaori Karel Karen Kari Karianne Karim Karima Karin Karl Karla Karol Karolina Karsten Kaspar Katalin Kate
Katerina Kateřina Katharina Katherine Kathleen Kathrin Kathryn Kathy Katica Katie Katja Katrin Kaveh Kavita Kay
Kazimierz Kazuo Kazım Kees Keiko Keith Kelly Kemal Ken Kenan Kenji Kenneth Kenta Kerem Kerim Kerry Kersti Kerstin
Ketil Kevin Khachatur Khadija Khadizhat Khaled Khalid Khalil Khamzat Khava Kieran Kim Kimberly Kimmo Kinga Kiran Kiril
Kirill Kirsten Kirsty Kiyoshi Kjell Kjersti Kjetil Klaas Klara Klaus Klavdiya Klára Knut Koen Kofi Kojo Konrad
Konstantin Konstantina Konstantinos Kostas Kourosh Krasimir Krešimir Krishna Kristian Kristin Kristina Kristján Krsto
Krystian Krystyna Krzysztof Ksenia Kudret Kumar Kumiko Kurt Květa Kwabena Kwame Kwasi Kyle Kyriakos Kyung Kálmán Kåre
Kürşat Kārlis Kęstutis Kıymet Ladislav Laetitia Lajos Lakshmi Lala Lale Lalita Lamberto Lambros Lamia Lan Larisa Larry
Lars Lasse Latif Latifa Laura Lauren Laurence Laurent Lauri Lawrence Layla Leah Lech Lee Leena Lei Leif Leila Lembit
Len Lena Lenka Lennart Leo Leokadia Leon Leonard Leonardo Leonid Leonor Leopold Leroy Lesley Leslie Leszek Leticia
Letizia Lev Levan Levent Lewis Leyla Liam Liang Libor Lidia Lidiya Lieve Liisa Lilia Lilla Lillian Lily Lina Linas
Linda Lindiwe Lindsay Ling Linh Linn Lino Lionel Lisa Lise Liselotte Liv Liviu Ljiljana Ljubica Ljubiša Ljubomir Lloyd
Logan Lois Long Loredana Lorenzo Lorna Lorraine Lothar Lotte Loubna Louis Louise Loukas Lourdes Lovro Loïc Luan
Lubomír Luboš Luc Luca Lucas Lucia Lucian Luciana Luciano Lucie Lucien Lucienne Lucjan Lucreția Lucy Lucía Ludmila
Ludovic Ludwig Ludwik Luigi Luis Luisa Luise Luiz Luka Lukas Luke Lutz Luuk Luz Luís Lydia Lynn Lynne Lyubomir Lyubov
Lyudmila László Léa Léon Lúcia Lütfi Maaike Maarten Maciej Madeleine Madhav Madison Mafalda Magda Magdalena Magne
Magnhild Magnus Magomed Maha Mahdi Maher Mahesh Mahir Mahmoud Mahmut Mahnaz Mahsa Maj Majid Makbule Makoto Maksim
Malachy Malcolm Malek Malik Malika Malkhaz Mamadou Mamuka Mandla Mandy Manfred Manish Manju Manlio Manmohan Manolo
Manon Manouchehr Mansour Manuel Manuela Marc Marcel Marcela Marcello Marcelo Marcin Marco Marcos Marcus Marek Margaret
Margarete Margarita Margit Margot Marguerite Maria Maria-Grazia Mariam Mariama Marian Mariana Mariangela Marianne
Mariano Marie Marieke Marija Marijke Mariko Marilyn Marin Marina Marine Marinko Mario Mariola Marion Marisol Marit
Marius Mariusz Mariya Marián Marja Marjorie Mark Markku Marko Markéta Marleen Marlene Marlies Mart Marta Martha Martin
Martina Martine Martti Martín Marwan Mary Maryam Marzena María Masako Masao Massimo Mate Matej Mateo Mateusz Mathias
Mathieu Mathilde Mati Matilda Matilde Mato Mats Matt Matteo Matthew Matthias Matthieu Matti Matúš Matěj Maud Maureen
Maurice Mauricio Maurizio Mauro Mavis Max Maxim Maxime Maximilian Maxine Mazlum Maël Małgorzata Mechthild Medeni Meena
Meera Megan Mehdi Mehmed Mehmet Mehrdad Mei Melanie Melek Meliha Melissa Memet Menachem Meral Mercedes Mercè Mesut
Metin Mette Mevlüt Mger Mia Michael Michaela Michalis Michał Michel Micheline Michelle Michiko Michèle Mick Midhat
Mieczysław Mieke Miguel Mihaela Mihai Mihail Mihajlo Mihriban Mihály Mika Mikael Mike Mikel Mikhail Mikheil Mikko
Miklós Mikołaj Milada Milagros Milan Mildred Mile Milena Miles Milica Milivoj Millie Miloje Milorad Miloslav Milovan
Miloš Milutin Mindaugas Ming Minh Minho Minji Minna Miodrag Mira Miranda Mircea Mireille Mirella Miriam Mirjana Mirko
Miroslav Miroslava Mirosław Mirosława Mirza Mithat Miłosz Mladen Modou Mogens Mohamed Mohammad Mohammed Mohan Mohsen
Moira Moisés Molly Momčilo Mona Monica Monika Monique Montserrat Mordechai Moritz Morten Morteza Moshe Mostafa
Moussa Moustafa Movsar Mpho Muammer Muhamed Muhammad Muhammet Muharrem Muhittin Muhsin Mukadder Mukesh Mukhtar Munir
Murat Muriel Musa Mustafa Muzaffer Mykhailo Mykola Myria Márcio Mária Márta Mátyás Mürvet Müslüm Māris Na Nabil Nabila
Naci Naciye Nada Nadezhda Nadia Nadine Nadir Nadja Naeem Naftali Nahit Nahum Nail Naim Najib Nam Namig Nana Nancy
Naoki Naoko Naomi Narendra Naresh Nasir Nasreen Nasrin Nasser Natalia Natalie Nataliya Natalya Natasha Nathalie Nathan
Nato Natálie Navin Nawal Nawaz Nazlı Nazmi Nazım Ndidi Nebojša Necati Necdet Necip Necla Necmettin Nedeljko Neha Neil
Nejat Nello Nenad Neriman Neslihan Nesrin Nevenka Nevin Nevzat Nezir Neşe Nga Ngoc Ngozi Nguyen Niall Nicholas Nick
Nicola Nicolae Nicolas Nicole Nicoleta Nicolás Nicolò Nicos Niels Nieves Nigel Nihat Nikhil Nikita Niklas Nikol Nikola
Nikolai Nikolaj Nikolaos Nikolay Nikos Nils Nima Nimet Nina Ning Nino Ninoslav Nisha Nitin Niyazi Nizar Nkechi Noah
Noam Nodar Noel Nomvula Noor Nora Norbert Norberto Noriko Norma Norman Nour Noura Noémie Nuno Nunzia Nuray Nurettin
Nuri Nuria Nuriye Nurten Nándor Núria Obinna Obrad Octavio Odd Oddvar Odette Odile Ognjen Ognyan Oisin Okan Oksana
Oktawia Oktay Ola Olaf Olav Olavi Oldřich Oleg Oleh Oleksandr Oleksiy Olena Olga Olive Oliver Olivera Olivia Olivier
Oliwia Olof Olu Olumide Oluwaseun Omar Ona Ondřej Onur Orazio Orhan Oriol Ornella Osama Osamu Oscar Oskar Osman
Osvaldo Oswald Otakar Otar Othman Otto Otávio Ousmane Outi Ovidiu Owen Paavo Pablo Paco Paddy Padma Padraig Pakize
Paloma Pamela Panagiota Panagiotis Panayiotis Pankaj Pantelis Paolo Paraskevi Parvez Parvin Parviz Pascal Pascale
Pasquale Patrice Patricia Patricio Patrick Patrizia Patrycja Patsy Paul Paula Paulette Pauline Paulo Pavel Pavla Pavlo
Paweł Pearse Peder Pedro Peeter Peggy Pekka Pelle Penelope Peng Per Percy Pere Perihan Pernille Perry Pertti Petar
Pete Peter Petko Petr Petra Petras Petre Petri Petros Petru Petrus Petter Phil Philip Philippa Philippe Phillip Phoebe
Phuc Phuong Phyllis Piero Pierre Piet Pieter Pietro Pilar Pim Pina Ping Pio Piotr Pirjo Piroska Plamen Polat Polly
Pooja Pradeep Prakash Pramod Prasad Pratap Pravin Preben Predrag Priit Priya Priyanka Przemysław Pyotr Pál Päivi Pär
Pål Péter Pēteris Pınar Qasim Qiang Qing Quang Quoc Rabia Rachael Rachel Rachid Rachida Rade Radek Radim Radka Radmila
Radomír Radoslav Radosław Radovan Radu Rafael Rafał Raffaele Rafiq Ragna Ragnar Ragnhild Rahul Raimo Raimonds Raimundo
Rainer Raisa Raj Raja Rajeev Rajesh Rajinder Rajko Rakesh Ralph Ram Ramazan Ramesh Rami Ramiro Ramzan Ramón Randi Rani
Rania Ranko Raoul Raphael Raphaël Raquel Rasa Rashid Rasim Rasmus Rasul Ratko Ravi Ray Raymond Raúl Raşit Rebecca
Recai Recep Reem Refik Regina Reginald Rehana Reidar Reijo Rein Reiner Reinhard Reinhold Rekha Remedios Remzi Renata
Renate Renato Renzo René Renée Rexhep Reza Rezső Reşat Reşit Rhys Ria Riad Ricardo Riccardo Richard Riitta Rik Rim
Rimantas Rinaldo Rita Rivka Rizwan Roar Rob Robert Roberta Roberto Robin Rocco Rocío Rod Roderick Rodica Rodney
Rodolfo Rodrigo Roel Rogelio Roger Rohan Rohit Roland Rolf Romain Roman Romualdas Ron Ronald Rong Ronnie Rory Rosa
Rosalind Rosanna Rosaria Rosario Rose Rosemarie Rosemary Rosie Ross Rostislav Rovshan Roy Ruby Rubén Rudi Rudolf
Ruggero Rui Rukiye Rumen Rune Rupert Ruprecht Ruslan Russell Rustam Ruth Ruud Ružica Ryan Ryo Ryszard Régis Rémi Rémy
Róbert Rózsa Rüstem Răzvan Rıdvan Rıfat Rıza Růžena Saad Sabah Sabahattin Sabine Sabir Sabri Sabrina Sachiko Sachin
Saddam Sadettin Sadık Saeed Safet Safia Said Saif Saim Saima Sait Sakine Salah Saleh Salem Salih Saliha Salim Sally
Salma Salman Salvador Salvatore Sam Samantha Sami Samir Samira Samuel Samvel Sana Sanda Sandeep Sander Sandra Sandro
Sangeeta Sanja Sanjay Sanjeev Sanne Santiago Santosh Sara Sarah Sargis Sarita Sascha Saskia Satish Satoshi Saulius
Saverio Savo Savvas Sayed Saša Scott Sead Seamus Sean Sebahat Sebastian Sedat Sefa Sekou Selahattin Selim Selma Selçuk
Semih Semra Semyon Senad Senem Seppo Serap Sercan Serdar Serge Sergei Sergey Sergio Serhat Serhiy Serkan Serpil Serzh
Seung Sevda Sevgi Sevim Sevinj Seweryn Seyfettin Sezai Sezer Seçkin Shabana Shadi Shahid Shahram Shahzad Shaikh Shalva
Shamil Shane Shankar Shannon Shanti Sharon Shashi Shaun Sheila Shekhar Shelley Shigeru Shimon Shinji Shirin Shirley
Shivani Shlomo Shmuel Shota Shyam Sibusiso Sidney Siegfried Sieglinde Sigrid Sigurd Sigurður Siim Silke Silvana Silvia
Silvio Silviu Simon Simona Simone Sinan Sinead Siobhan Sipho Siri Sirpa Sissel Sita Siv Sjoerd Skënder Slavica Slavko
Slađana Slobodan Slobodanka Sneha Snežana Sofia Sofiane Sofiya Soheila Solange Soledad Solveig Soner Songül Sonja Soo
Sophia Sophie Sorin Sotirios Souad Spomenka Spyridon Spyros Sreten Srđan Stacey Stan Stana Stanislav Stanisław
Stanisława Stanko Stanley Stavros Stefan Stefania Stefanie Stefano Steffen Stein Steinar Stela Stelios Stella Sten
Stepan Stephanie Stephen Steve Steven Stewart Stig Stijn Stina Stipe Stjepan Stojan Stoyan Stuart Sture Stylianos
Stéphane Stéphanie Suat Sudha Sudhir Sue Sufian Suleiman Sulim Sultan Suman Suna Sung Sunil Sunita Suraj Surendra
Suresh Susan Susana Susanna Susanne Suzanne Svein Sven Sverre Svetislav Svetlana Svitlana Swati Sybil Sylvain Sylvia
Sylvie Sylwester Sylwia Szabolcs Szymon Sándor Sébastien Séverine Sílvia Søren Süheyla Süleyman Sıddık Sławomir
Tadeusz Tage Tahir Tahira Tahsin Taina Taisiya Takashi Takeshi Takis Talat Tamar Tamara Tamer Tamás Taner Tanja Tao
Tapio Tara Taras Tareq Tariq Tarja Tarık Tatiana Tatjana Tatyana Tauno Tayfun Ted Teemu Tekin Temel Tendai
Tengiz Teodor Teodoro Terence Teresa Tereza Terje Tero Terry Tetsuo Teun Tevfik Thabo Thanasis Thandi Thanh Thao
Thelma Themba Themistoklis Theo Theodor Theodore Theodoros Theresa Thi Thiago Thibault Thierry Thijs Thomas Thorsten
Thu Thuy Thérèse Tiago Tibor Tien Tigran Tihomir Tiit Tim Timo Timofey Timothy Timur Tina Tjeerd Tobias Toby Todd
Todor Tofig Tolga Tom Tomas Tomasz Tomislav Tommaso Tommy Tomoko Tomás Tony Toomas Tor Torbjørn Tore Torgeir Torill
Torstein Torsten Toshio Tove Tracey Tracy Traian Trang Traudl Travis Trevor Trine Troels Trond Trung Truus
Trygve Tsvetan Tsvetana Tuan Tuba Tufan Tullio Tuncay Tuncer Tunde Tuomas Turan Turgay Turgut Turid Turpal Tuula Tyler
Tzipi Tünde Türkan Uche Uday Udo Ufuk Ugo Uldis Ulf Uli Ulla Ulrich Ulrike Uma Umberto Una Unni Urho Uri Urmas Ursel
Ursula Urszula Usama Usha Usman Ute Uwe Uğur Vadim Vahap Vaidotas Vakhtang Valdas Valdis Valentin Valentina Valeri
Valeria Valerie Valeriu Valeriy Valery Valérie Van Vandana Vanessa Vardan Varvara Vasco Vasile Vasili Vasiliki
Vasilios Vasiliy Vasily Vassilis Vasyl Vazha Vedat Vegard Vehbi Veikko Veit Veli Veniamin Vera Vernon Veronica Veselin
Vesna Veysel Viacheslav Vicente Vicky Victor Victoria Vidar Viet Vigdís Viggo Vijay Vikram Viktor Viktoria Viliam
Ville Vilmos Vinay Vincent Vincenza Vincenzo Vinko Vinod Violet Viorel Viorica Virgil Virginia Virginie Vishal Vitali
Vitaliy Vitaly Vito Vittoria Vittorio Vivek Vivian Vivien Vjekoslav Vlad Vladan Vladimir Vladimír Vladimíra Vladislav
Vladlen Vlado Vlasta Vojislav Vojtěch Volker Volodymyr Vsevolod Vugar Vuk Vyacheslav Vytautas Václav Véronique Víctor
Vít Vítor Vítězslav Věra Wacław Wafa Wagner Waldemar Walid Wallace Walter Waltraud Wanda Wanjiru Warren Wassim Wayne
Wei Wen Wendy Werner Weronika Wesley Wiesław Wiesława Wiktor Wilfred Wilhelm Wilhelmine Willi William Willy Wim
Wincenty Winfried Winifred Winston Witold Wojciech Wolf Wolfgang Wolfram Wouter Władysław Włodzimierz Xabier Xaver
Xavier Xhevdet Xia Xiang Xiao Xin Xiu Yacine Yael Yahya Yakov Yakup Yan Yann Yannick Yannis Yaroslav Yasemin Yash
Yashar Yasin Yasmin Yasmine Yasser Yavuz Yaw Yaşar Yefim Yehuda Yekaterina Yelena Yevgeni Yevgenia Yevgeniy Yevgeny Yi
Yiannis Ying Yiorgos Yitzhak Ynske Yoko Yong Yordan Yosef Yoshio Youcef Younes Young Yousef Youssef Yu Yuan Yue Yuki
Yulia Yuliya Yumi Yunus Yuri Yuriko Yuriy Yury Yusuf Yves Yvette Yvonne Yüksel Yıldız Yılmaz Zachary Zafar Zafer Zahid
Zahra Zaid Zain Zainab Zakaria Zanele Zarema Zaur Zaza Zbigniew Zdenka Zdeněk Zdeňka Zdravko Zdzisław Zehra Zeinab
Zekeriya Zeki Zekiye Zeliha Zelimkhan Zenon Zerrin Zeynel Zeynep Zhanna Zhen Zhi Zhivko Ziad Zinaida Zineb Ziya
Zlata Zlatko Zoe Zofia Zoi Zoltán Zoran Zorica Zorka Zoya Zsolt Zsuzsanna Zsófia Zurab Zuzana Zvi Zviad Zygmunt Zélia
Zübeyde Zülfikar Zülküf Álvaro Ángel Ángela Åsa Åse Çetin Çiğdem Édouard Élisabeth Émile Étienne Óscar Ömer Önder
Özcan Özgür Özlem Øystein Øyvind Ümit Ümran Þór İbrahim İdris İhsan İlhan İlknur İlyas İrfan İskender İsmail İsmet
İzzet Ľubomír Ľudovít Łucja Łukasz Şaban Şahin Şakir Şehmus Şemsettin Şenol Şerafettin Şerif Şerife Şevket Şükran
Şükrü Štefan Štěpán Šárka Željka Željko Živko Živorad Žydrūnas Ștefan
"""
# Words and places more often than names, even before a capital.
_UNSAFE = frozenset(
    "April June Long Van Na Yi Yu Abu Ala Young Earl Dean Sultan Don Nam Gazi Hacı Art Ram Yıldız".split()
)

GIVEN_NAMES = frozenset(_NAMES.split()) - _UNSAFE
